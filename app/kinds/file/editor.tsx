import { FILE_BYTES } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import type { LeaderParts, ReviewedProps } from '../kind.ts';
import { Written } from '../reviewed.tsx';
import { SentFile } from './sent-file.tsx';

export const fileEditor: LeaderParts<'file'> = {
  hint: m.kinds_hint_file,
  usualPoints: 40,
  empty: () => ({ kind: 'file' }),
  preview: (setup) => setup,
  Fields: () => <p className="text-small text-muted">{m.kinds_edit_text_hint({ size: number(FILE_BYTES / 1_024) })}</p>,
  Reviewed: FileReviewed,
};

function FileReviewed({ communityId, evidence }: ReviewedProps<'file'>) {
  return (
    <>
      <SentFile communityId={communityId} evidence={evidence} />
      {evidence.note && <Written words={evidence.note} />}
    </>
  );
}
