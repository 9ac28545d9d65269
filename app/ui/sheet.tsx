import { type ReactNode, useEffect, useId, useRef } from 'react';
import { m } from '../paraglide/messages.js';
import { IconButton } from './button.tsx';

type Props = { title: string; open: boolean; onClose: () => void; children: ReactNode };

/** Opens and closes the browser's modal dialog: it traps the focus; Escape or a press outside closes it. */
function useModal(open: boolean, onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) {
      element.showModal();
      element.querySelector<HTMLElement>('[data-focus]')?.focus();
    }
    if (!open && element.open) element.close();
  }, [open]);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const onPress = (event: MouseEvent) => {
      if (event.target !== element) return;
      const box = element.getBoundingClientRect();
      const inside =
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom;
      if (!inside) element.close();
    };
    // The close event is late: another press may have reopened the dialog by then.
    const onClosed = () => {
      if (!element.open) onClose();
    };
    element.addEventListener('click', onPress);
    element.addEventListener('close', onClosed);
    return () => {
      element.removeEventListener('click', onPress);
      element.removeEventListener('close', onClosed);
    };
  }, [onClose]);
  return dialog;
}

/** Rises from below on phones, from the inline end from 900 px. */
export function Sheet({ title, open, onClose, children }: Props) {
  const dialog = useModal(open, onClose);
  const id = useId();
  return (
    <dialog ref={dialog} className="sheet" aria-labelledby={id}>
      {open && (
        <>
          <div className="sheet__head">
            <div className="sheet__grip" />
            <div className="flex-row">
              <h2 id={id} className="flex-grow">
                {title}
              </h2>
              <IconButton icon="close" label={m.shell_close()} onClick={onClose} />
            </div>
          </div>
          {children}
        </>
      )}
    </dialog>
  );
}

/** Only for a decision that loses something. The children include the actions. */
export function Dialog({ title, open, onClose, children }: Props) {
  const dialog = useModal(open, onClose);
  const id = useId();
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id}>
      {open && (
        <>
          <h2 id={id}>{title}</h2>
          {children}
        </>
      )}
    </dialog>
  );
}
