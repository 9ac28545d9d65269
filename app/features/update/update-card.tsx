import { useEffect, useState } from 'react';
import { UPDATE_NOTICE_DISMISS_MS } from '../../../server/contract/limits.ts';
import { applyUpdate, onUpdateReady } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Offers a waiting new build for five seconds, and again at the next start. */
export function UpdateCard() {
  const [shown, setShown] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  useEffect(() => onUpdateReady(() => setShown(true)), []);
  useEffect(() => {
    if (!shown || busy) return;
    const timer = setTimeout(() => setShown(false), UPDATE_NOTICE_DISMISS_MS);
    return () => clearTimeout(timer);
  }, [shown, busy]);
  if (!shown) return null;
  return (
    <div className="toast" role="status">
      <Icon name="update" size={24} />
      <div>
        <h2>{m.shell_update_title()}</h2>
        <p>{unsaved ? m.shell_update_unsaved() : m.shell_update_line()}</p>
      </div>
      <IconButton icon="close" label={m.shell_dismiss()} onClick={() => setShown(false)} />
      <div className="actions">
        <Button
          busy={busy}
          onClick={() => {
            setBusy(true);
            void applyUpdate().then(
              (done) => {
                setUnsaved(done === 'unsaved');
                setBusy(done === 'reloads');
              },
              () => setBusy(false),
            );
          }}
        >
          {m.shell_update_now()}
        </Button>
      </div>
    </div>
  );
}
