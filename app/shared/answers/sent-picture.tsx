import './sent-picture.css';
import { useEffect, useState } from 'react';
import { useOutbox } from '../../lib/device.ts';
import { pictureSource } from '../../lib/pictures.ts';
import { imageSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { show } from './picture.ts';

/** The member's picture: the device's copy until it is uploaded, then the server's. */
export function SentPicture({ communityId, imageId }: { communityId: string; imageId: string }) {
  const entry = useOutbox().findLast(({ subject }) => subject === imageSubject(imageId));
  const bytes = entry?.body instanceof Blob ? entry.body : null;
  const [gone, setGone] = useState(false);
  if (bytes !== null) return <Drawn picture={bytes} />;
  if (gone) return <p className="text-small text-muted">{m.member_picture_away()}</p>;
  return (
    <img
      className="picture"
      src={pictureSource(communityId, imageId)}
      alt={m.member_picture_yours()}
      onError={() => setGone(true)}
    />
  );
}

/** Drawn on a canvas: the content security policy does not allow blob URLs for images. */
function Drawn({ picture }: { picture: Blob }) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas) void show(picture, canvas).catch(() => undefined);
  }, [canvas, picture]);
  return <canvas ref={setCanvas} className="picture" role="img" aria-label={m.member_picture_yours()} />;
}
