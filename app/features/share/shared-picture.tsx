import '../../shared/answers/sent-picture.css';
import { useEffect, useRef, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { show } from '../../shared/answers/picture.ts';

/** A preview of the shared picture; text where this browser cannot read it. */
export function SharedPicture({ picture }: { picture: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (canvas.current) show(picture, canvas.current, () => !isGone).catch(() => setBroken(true));
    return () => {
      isGone = true;
    };
  }, [picture]);
  if (isBroken) return <p>{m.member_picture_unreadable()}</p>;
  return <canvas ref={canvas} className="picture" role="img" aria-label={m.shell_share_picture()} />;
}
