import type { TaskSetup } from '../../../../server/contract/tasks.ts';
import { handleOf, isXKind, postIn, X_HASHTAG, type XKind } from '../../../../server/contract/x-post.ts';

type XSetup = Extract<TaskSetup, { kind: XKind }>;
export const isX = (setup: TaskSetup): setup is XSetup => isXKind(setup.kind);

/** What a task at X begins with. */
export function emptyX(kind: XKind): XSetup {
  if (kind === 'x_follow') return { kind, handle: '' };
  return kind === 'x_post' ? { kind, text: '', hashtag: '', about: '' } : { kind, post: '', about: '' };
}

export type XProblem = 'x_handle' | 'x_post' | 'x_hashtag' | 'x_nothing';

/** What is not right yet. */
export function xProblems(setup: XSetup): XProblem[] {
  if (setup.kind === 'x_follow') return handleOf(setup.handle) === null ? ['x_handle'] : [];
  if (setup.kind !== 'x_post') return postIn(setup.post) ? [] : ['x_post'];
  const hashtag = hashtagIn(setup.hashtag);
  if ([hashtag, setup.text, setup.about].every((text) => text.trim() === '')) return ['x_nothing'];
  return hashtag === '' || X_HASHTAG.test(hashtag) ? [] : ['x_hashtag'];
}

/** The setup without what people type along. */
export function tidyX(setup: XSetup): XSetup {
  if (setup.kind === 'x_follow') return { ...setup, handle: handleOf(setup.handle) ?? setup.handle };
  const about = setup.about.trim();
  if (setup.kind !== 'x_post') return { ...setup, post: postIn(setup.post)?.url ?? setup.post, about };
  return { ...setup, text: setup.text.trim(), hashtag: hashtagIn(setup.hashtag), about };
}

const hashtagIn = (text: string): string => text.trim().replace(/^#/, '');
