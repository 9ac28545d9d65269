import { Toaster } from '../../ui/toaster.tsx';
import { InstallCard } from '../install/install-card.tsx';
import { useAppBadge } from '../outbox/badge.ts';
import { UpdateCard } from '../update/update-card.tsx';

/** Always present, and no part of the first paint. */
export function Extras() {
  useAppBadge();
  return (
    <>
      <div className="inst-slot">
        <InstallCard />
      </div>
      <div className="toasts">
        <UpdateCard />
        <Toaster />
      </div>
    </>
  );
}
