import { session } from './browser.ts';

/** The task that a member went to X for, in this tab: who comes back there goes on with it. */
export type XIntent = { communityId: string; taskId: string; title: string };
const KEY = 'muster-x-intent';

export const keepXIntent = (intent: XIntent): void => void session.set(KEY, JSON.stringify(intent));
export const dropXIntent = (): void => void session.set(KEY, null);

export function keptXIntent(): XIntent | null {
  try {
    const kept = JSON.parse(session.get(KEY) ?? 'null') as Partial<XIntent> | null;
    if (kept?.communityId && kept.taskId && kept.title)
      return { communityId: kept.communityId, taskId: kept.taskId, title: kept.title };
  } catch {
    // Written by something else: nobody came from there.
  }
  return null;
}
