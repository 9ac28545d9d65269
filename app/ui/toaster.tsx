import { Toast } from 'radix-ui';
import { TOAST_DURATION_MS, TOAST_HOTKEY, TOAST_SWIPE_PX } from '../../server/contract/limits.ts';
import { m } from '../paraglide/messages.js';
import { Button, IconButton } from './button.tsx';
import { Icon, Mark } from './icon.tsx';
import { dismissToast, type ShownToast, useToasts } from './toast.tsx';

/** The toast region: F8 focuses it, a swipe to the right dismisses a toast. Specification, section 9. */
export function Toaster() {
  const toasts = useToasts();
  return (
    <Toast.Provider
      duration={TOAST_DURATION_MS}
      swipeDirection="right"
      swipeThreshold={TOAST_SWIPE_PX}
      label={m.shell_notifications()}
    >
      {toasts.map((shown) => (
        <One key={shown.id} shown={shown} />
      ))}
      <Toast.Viewport label={m.shell_notifications()} hotkey={[TOAST_HOTKEY]} />
    </Toast.Provider>
  );
}

function One({ shown }: { shown: ShownToast }) {
  const { id, title, line, action, mark, icon, again } = shown;
  return (
    <Toast.Root
      className={again ? 'toast toast--again' : 'toast'}
      open={shown.open}
      type={shown.urgent ? 'foreground' : 'background'}
      {...(shown.durationMs !== undefined && { duration: shown.durationMs })}
      onOpenChange={(open) => !open && dismissToast(id)}
    >
      {mark ? <Mark state={mark} /> : <Icon name={icon ?? 'info'} size={24} />}
      <div>
        <Toast.Title asChild>
          <h2>{title}</h2>
        </Toast.Title>
        {line && (
          <Toast.Description asChild>
            <p>{line}</p>
          </Toast.Description>
        )}
      </div>
      {action ? (
        <Toast.Action asChild altText={action.label}>
          <Button kind={action.primary ? 'ink' : 'words'} onClick={action.onPress}>
            {action.label}
          </Button>
        </Toast.Action>
      ) : (
        <Toast.Close asChild>
          <IconButton icon="close" label={m.shell_dismiss()} />
        </Toast.Close>
      )}
    </Toast.Root>
  );
}
