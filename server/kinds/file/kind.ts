import { HttpError } from '../../base/http-error.ts';
import { FILE_NAME_MAX } from '../../contract/limits.ts';
import { plainLine } from '../../domain/plain-line.ts';
import { linesOf, noteIn, submitted } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const file: Kind<'file'> = {
  ask: ({ kind }) => ({ kind }),
  judge(_, { kind, fileId, name, note }, __, hasArrived) {
    if (!hasArrived) throw new HttpError(422, 'FILE_INVALID', 'The file has not arrived. Choose it once more.');
    // As the member's device calls it: no reason to refuse the file.
    return submitted({ kind, fileId, name: plainLine(name, FILE_NAME_MAX) ?? 'file', ...noteIn({ note }) });
  },
  compared: ({ fileId, note }) => `${fileId} ${linesOf(note)}`,
  exported: ({ name }) => name,
  imported: { words: ['upload'], bare: () => ({ kind: 'file' }) },
};
