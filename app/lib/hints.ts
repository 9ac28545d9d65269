import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { VISITOR_MARK } from '../../server/contract/sw-messages.ts';
import { refusable } from '../../worker/browser.ts';
import { cameAlone, isDemo, local, navigationOf, sessionMark } from './browser.ts';

/**
 * Small conveniences of this device in localStorage. Nothing depends on them: a browser that refuses storage, or loses
 * it, only costs a flash or one more tap.
 */
const read = (key: string): string | null => local.get(key);
const write = (key: string, value: string | null): void => void local.set(key, value);

const LAST_COMMUNITY = 'muster-last-community';
const SIGNED_IN = 'muster-signed-in';
const WHOSE = 'muster-whose';
const ANSWERED = 'muster-answered';
const CLOCK_OFF = 'muster-clock-off';

/** Address of the community whose dashboard was seen last: where 'Today' leads. */
export const lastCommunity = (): string | null => read(LAST_COMMUNITY);
export const rememberCommunity = (community: string | null): void => write(LAST_COMMUNITY, community);

/** Whether a member was signed in here last time: which frame to draw before the server has said so. */
export const wasSignedIn = (): boolean => read(SIGNED_IN) === '1';
/**
 * Whether no session can be: the server gave this page to a visitor, or the device did, which keeps no word of whom it was
 * for; there is no cookie that says that somebody has signed in since, and nobody was signed in here last time. Only then
 * need the server not be asked.
 */
export const isVisitor = (): boolean => wasGivenToVisitor() && !wasSignedIn() && sessionMark() === null;
// A worker that has taken the page over since is no word of whom the server gave it to.
const wasGivenToVisitor = () =>
  (refusable(() => navigator.serviceWorker.controller) !== null && !cameAlone()) ||
  navigationOf()?.serverTiming?.some(({ name }) => name === VISITOR_MARK) === true;
/** Who was signed in here last time: whose things to get ready until the server has said so. */
export const lastMember = (): string | null => (wasSignedIn() ? read(WHOSE) : null);
/** Takes note of who is signed in. What another member left here, who never signed out, goes. */
export function rememberSignedIn(userId: string | null): void {
  const before = read(WHOSE);
  if (before !== null && before !== userId) forgetHints();
  // Another tab may have noted it while this one forgot.
  if (userId === null) rememberCommunity(null);
  write(WHOSE, userId);
  write(SIGNED_IN, userId === null ? null : '1');
}
/** Signed in still, but shut out: the next page does not begin in a member's frame; what was begun waits. */
export const rememberShutOut = (): void => write(SIGNED_IN, null);

/** When the server last answered here, epoch milliseconds by the device's clock; null where that is not known. */
export const answeredAt = (): number | null => Number(read(ANSWERED)) || null;
export const rememberAnswered = (at: number): void => write(ANSWERED, String(at));

/** By how much the device's clock is behind the server's, ms; less than nothing where it is ahead. */
export const clockOff = (): number => Number(read(CLOCK_OFF)) || 0;
export const rememberClockOff = (ms: number): void => write(CLOCK_OFF, ms === 0 ? null : String(ms));

/** What visitors wrote and nobody has sent yet (`features/partnerships/queue.ts`). */
export const VISITORS = 'muster-visitors';
/** Everything here tells of the member, also what they have begun to write, but this. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set([...Object.values(BOOT_KEYS), ANSWERED, CLOCK_OFF, VISITORS]);
/** Forgets who was here. */
export function forgetHints(): void {
  for (const key of local.keys()) if (!OF_THE_DEVICE.has(key)) write(key, null);
}

/** Earlier builds kept the acknowledgement overlay here, which is in the device's store now. */
export const dropOldOverlay = (): void => write('muster-told', null);

/** Mirror of the theme for `/boot.js`, which runs before the first paint. The device store holds the truth. */
export const themeMirror = (): string | null =>
  // The demo may read nothing here: it goes on in the colours that `/boot.js` has painted.
  isDemo ? (document.documentElement.dataset['theme'] ?? null) : read(BOOT_KEYS.theme);
export const mirrorTheme = (theme: string): void => write(BOOT_KEYS.theme, theme);
