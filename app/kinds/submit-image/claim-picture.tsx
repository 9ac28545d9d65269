import './claim-picture.css';
import { useEffect, useState } from 'react';
import { useOnline } from '../../lib/online.ts';
import { pictureSource } from '../../lib/pictures.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Dialog } from '../../ui/sheet.tsx';

/**
 * A member's picture; a press enlarges it, as does Space when the desk's keys apply to it. One that cannot be loaded is
 * shown as missing, and retried when the connection returns.
 */
export function ClaimPicture(props: { communityId: string; imageId: string; who: string; hasKey: boolean }) {
  const { who, hasKey } = props;
  const source = pictureSource(props.communityId, props.imageId);
  const online = useOnline();
  const [isMissing, setMissing] = useState(false);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (online) setMissing(false);
  }, [online]);
  const miss = () => {
    setMissing(true);
    // Otherwise it would open when the connection returns.
    setOpen(false);
  };
  useKeys(hasKey && !isMissing ? { ' ': () => setOpen(true) } : {});
  if (isMissing) return <p className="text-small text-muted">{m.leader_picture_missing()}</p>;
  return (
    <>
      <button
        type="button"
        className="claim-picture"
        {...(hasKey && { 'aria-keyshortcuts': 'Space' })}
        onClick={() => setOpen(true)}
      >
        <img src={source} alt={m.leader_picture_by({ who })} onError={miss} />
        <span className="claim-picture__enlarge">
          <Icon name="eye" />
          {m.leader_picture_enlarge()}
          {hasKey && <KeyHint keys="Space" />}
        </span>
      </button>
      <Dialog title={m.leader_picture_by({ who })} open={isOpen} onClose={() => setOpen(false)}>
        <Enlarged source={source} onClose={() => setOpen(false)} onMissing={miss} />
      </Dialog>
    </>
  );
}

/** The picture in the whole window: fitted, or at full size. */
function Enlarged({ source, onClose, onMissing }: { source: string; onClose: () => void; onMissing: () => void }) {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      if (event.key.toLowerCase() === 'f') setFull((was) => !was);
      // Space presses a focused button.
      else if (event.key === ' ' && !(event.target instanceof HTMLButtonElement)) {
        event.preventDefault();
        onClose();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [onClose]);
  return (
    <div className="enlarged">
      <div className={`enlarged__view ${isFull ? 'enlarged__view--full' : ''}`} tabIndex={isFull ? 0 : undefined}>
        <img src={source} alt="" onError={onMissing} />
      </div>
      <div className="actions">
        <Button data-focus kind="edge" aria-keyshortcuts="Space Escape" onClick={onClose}>
          {m.shell_close()}
          <KeyHint keys="Space" />
        </Button>
        <Button kind="words" aria-pressed={isFull} aria-keyshortcuts="F" onClick={() => setFull(!isFull)}>
          {m.leader_picture_full()}
          <KeyHint keys="F" />
        </Button>
      </div>
    </div>
  );
}
