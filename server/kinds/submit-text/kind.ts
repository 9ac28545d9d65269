import { HttpError } from '../../base/http-error.ts';
import { seenLength } from '../../contract/seen-length.ts';
import { asRead, prose } from '../../domain/text.ts';
import { linesOf, submitted } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const submitText: Kind<'submit_text'> = {
  ask: ({ kind, minLength }) => ({ kind, minLength: minLength ?? 1 }),
  judge({ minLength = 1 }, { kind, text: written }) {
    const text = prose('text', written);
    if (seenLength(text) < minLength)
      throw new HttpError(422, 'EVIDENCE_TOO_SHORT', `Write at least ${minLength} characters.`, {
        details: { minLength },
      });
    return submitted({ kind, text });
  },
  same: ({ text }) => asRead(text) || null,
  compared: ({ text }) => linesOf(text),
  exported: ({ text }) => text,
  imported: { words: ['text', 'answer'], bare: () => ({ kind: 'submit_text' }) },
};
