import { HttpError } from '../../base/http-error.ts';
import { linesOf, noteIn, submitted } from '../judged.ts';
import type { Kind } from '../kind.ts';

export const submitImage: Kind<'submit_image'> = {
  ask: ({ kind }) => ({ kind }),
  judge(_, { kind, imageId, note }, __, hasArrived) {
    if (!hasArrived) throw new HttpError(422, 'IMAGE_INVALID', 'The picture has not arrived. Choose it once more.');
    return submitted({ kind, imageId, ...noteIn({ note }) });
  },
  compared: ({ imageId, note }) => `${imageId} ${linesOf(note)}`,
  imported: { words: ['image', 'photo', 'screenshot'], bare: () => ({ kind: 'submit_image' }) },
};
