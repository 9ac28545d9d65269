/**
 * What another app handed over (manifest, `share_target`): kept on this device, a day at the longest, until it has been
 * sent or put away. It belongs to whoever is signed in when it comes, or signs in next; nobody else sees it.
 */
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { local } from '../../lib/browser.ts';

const KEY = 'muster-shared';
const KEPT_MS = 24 * 60 * 60_000;

type Shared = { text: string; at: number; userId: string | null };

/** Title, text and address as one text, nothing twice: some apps repeat the one inside the other. Empty when nothing came. */
export function sharedText(search: { title?: string; text?: string; url?: string }): string {
  const parts = [search.title, search.text, search.url].map((part) => part?.trim() ?? '');
  const lines = parts.filter((part, at) => part !== '' && !parts.some((other, o) => holds(other, part, o < at)));
  return lines.join('\n').slice(0, SUBMISSION_TEXT_MAX);
}
/** Whether `other` says what `part` says: more than it, or the same and earlier. */
const holds = (other: string, part: string, isEarlier: boolean) =>
  other.includes(part) && (other.length > part.length || (isEarlier && other === part));

function load(): Shared | null {
  try {
    return JSON.parse(local.get(KEY) ?? 'null') as Shared | null;
  } catch {
    return null;
  }
}
const store = (shared: Shared | null): void => void local.set(KEY, shared && JSON.stringify(shared));

export const keepShared = (text: string, userId: string | null): void =>
  store(text === '' ? null : { text, at: Date.now(), userId });
export const forgetShared = (): void => store(null);

/**
 * What waits for this person (null: nobody is signed in), empty when nothing does. The first member who reads it has it;
 * what is another's or too old is dropped.
 */
export function readShared(userId: string | null): string {
  const shared = load();
  if (!shared) return '';
  const isAnothers = shared.userId !== null && userId !== null && shared.userId !== userId;
  if (isAnothers || Date.now() - shared.at > KEPT_MS) {
    forgetShared();
    return '';
  }
  if (shared.userId !== null && userId === null) return '';
  if (shared.userId !== userId) store({ ...shared, userId });
  return shared.text;
}
