import './storage-note.css';
import { type StorageState, useStorageState } from '../../lib/device.ts';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';

const WORDS: Record<Extract<StorageState, { kind: 'memory' }>['reason'], (p: { product: string }) => string> = {
  refused: m.shell_storage_refused,
  full: m.shell_storage_full,
  lost: m.shell_storage_lost,
  held: m.shell_storage_held,
  silent: m.shell_device_silent,
};

/** One line while this device cannot store anything, and what that means. */
export function StorageNote() {
  const storage = useStorageState();
  return (
    <div role="status">
      {storage.kind === 'memory' && (
        <p className="storage-note">
          <Icon name="info" />
          {WORDS[storage.reason]({ product: product.name })}
        </p>
      )}
    </div>
  );
}
