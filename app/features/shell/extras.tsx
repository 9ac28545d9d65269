import '../install/install-card.css';
import { lazy, Suspense, useEffect } from 'react';
import { local } from '../../lib/browser.ts';
import { VISITORS } from '../../lib/hints.ts';
import { Toaster } from '../../ui/toaster.tsx';
import { InstallCard } from '../install/install-card.tsx';
import { useAppBadge } from '../outbox/badge.ts';
import { UpdateCard } from '../update/update-card.tsx';
import { useConsentNeeded } from '../your-data/consent-needed.ts';

const ConsentCard = lazy(() => import('../your-data/consent-card.tsx').then((part) => ({ default: part.ConsentCard })));

/** Always mounted, but not part of the first paint. */
export function Extras() {
  useAppBadge();
  const needsConsent = useConsentNeeded();
  useEffect(sendForVisitors, []);
  return (
    <>
      <div className="install-slot">
        <InstallCard />
      </div>
      <div className="toast-region">
        <UpdateCard />
        {needsConsent && (
          <Suspense>
            <ConsentCard />
          </Suspense>
        )}
        <Toaster />
      </div>
    </>
  );
}

/** Requests that a visitor wrote offline are sent by whichever page opens next. */
function sendForVisitors(): void {
  if (local.get(VISITORS) !== null)
    void import('../partnerships/queue.ts').then(({ sendWhenPossible }) => sendWhenPossible()).catch(() => undefined);
}
