import { session } from './browser.ts';

/** The task that this tab left for X: a member who returns continues with it. */
export type XIntent = { communityId: string; taskId: string; title: string };
const KEY = 'muster-x-intent';

export const storeXIntent = (intent: XIntent): void => void session.set(KEY, JSON.stringify(intent));
export const dropXIntent = (): void => void session.set(KEY, null);

export function storedXIntent(): XIntent | null {
  try {
    const stored = JSON.parse(session.get(KEY) ?? 'null') as Partial<XIntent> | null;
    if (stored?.communityId && stored.taskId && stored.title)
      return { communityId: stored.communityId, taskId: stored.taskId, title: stored.title };
  } catch {
    // Written by something else: nobody returned from there.
  }
  return null;
}
