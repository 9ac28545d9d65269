import '../install/install-card.css';
import { Toaster } from '../../ui/toaster.tsx';
import { InstallCard } from '../install/install-card.tsx';
import { useAppBadge } from '../outbox/badge.ts';
import { UpdateCard } from '../update/update-card.tsx';

/** Always present, and no part of the first paint. */
export function Extras() {
  useAppBadge();
  return (
    <>
      <div className="install-slot">
        <InstallCard />
      </div>
      <div className="toast-region">
        <UpdateCard />
        <Toaster />
      </div>
    </>
  );
}
