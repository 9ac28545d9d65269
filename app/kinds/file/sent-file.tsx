import { useOutbox } from '../../lib/device.ts';
import { imageSubject } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';
import type { EvidenceOf } from '../kind.ts';

/** A downloadable file; one that is not uploaded yet has no address. */
export function SentFile(props: { communityId: string; evidence: EvidenceOf<'file'> }) {
  const { communityId, evidence } = props;
  const { fileId, name } = evidence;
  const waits = useOutbox().some(({ subject }) => subject === imageSubject(fileId));
  if (waits)
    return (
      <>
        <p className="break-anywhere">{name}</p>
        <p className="text-small text-muted">{m.kinds_file_away()}</p>
      </>
    );
  return (
    <a
      className="text-link touch-target flex-row break-anywhere"
      href={`/api/communities/${communityId}/files/${fileId}`}
      download={name}
    >
      <Icon name="export" />
      <span>{m.kinds_file_save({ name })}</span>
    </a>
  );
}
