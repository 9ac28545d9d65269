import './sent-picture.css';
import { useEffect, useState } from 'react';
import { useOutbox } from '../../lib/device.ts';
import { pictureSource } from '../../lib/pictures.ts';
import { imageSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { show } from './picture.ts';

/** A picture of mine: the device's own while it has not arrived, else the server's. */
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

/** Drawn rather than linked: an address of the page's own making is not among what the policy lets pictures come from. */
function Drawn({ picture }: { picture: Blob }) {
  const [canvas, setCanvas] = useState<HTMLCanvasElement | null>(null);
  useEffect(() => {
    if (canvas) void show(picture, canvas).catch(() => undefined);
  }, [canvas, picture]);
  return <canvas ref={setCanvas} className="picture" role="img" aria-label={m.member_picture_yours()} />;
}
