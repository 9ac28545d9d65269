import '../install/install-card.css';
import { lazy, Suspense } from 'react';
import { Toaster } from '../../ui/toaster.tsx';
import { InstallCard } from '../install/install-card.tsx';
import { useAppBadge } from '../outbox/badge.ts';
import { UpdateCard } from '../update/update-card.tsx';
import { useConsentAsked } from '../your-data/consent-asked.ts';

const ConsentCard = lazy(() => import('../your-data/consent-card.tsx').then((part) => ({ default: part.ConsentCard })));

/** Always present, and no part of the first paint. */
export function Extras() {
  useAppBadge();
  const isAsked = useConsentAsked();
  return (
    <>
      <div className="install-slot">
        <InstallCard />
      </div>
      <div className="toast-region">
        <UpdateCard />
        {isAsked && (
          <Suspense>
            <ConsentCard />
          </Suspense>
        )}
        <Toaster />
      </div>
    </>
  );
}
