import { BOOT_KEYS } from '../../server/contract/boot-keys.ts';
import { VISITOR_MARK } from '../../server/contract/sw-messages.ts';
import { refusable } from '../../worker/browser.ts';
import { isDemo, local, navigationOf, sessionMark, wasTakenOver } from './browser.ts';

/** Conveniences of this device in localStorage. Nothing depends on them: a loss costs a flash or one more tap. */
const read = (key: string): string | null => local.get(key);
const write = (key: string, value: string | null): void => void local.set(key, value);

const LAST_COMMUNITY = 'muster-last-community';
const SIGNED_IN = 'muster-signed-in';
const WHOSE = 'muster-whose';
const ANSWERED = 'muster-answered';
const CLOCK_OFF = 'muster-clock-off';

/** Address of the last community whose dashboard was open: 'Today' leads there. */
export const lastCommunity = (): string | null => read(LAST_COMMUNITY);
export const rememberCommunity = (community: string | null): void => write(LAST_COMMUNITY, community);

/** Whether a member was signed in here last time: decides which frame is drawn before the server answers. */
export const wasSignedIn = (): boolean => read(SIGNED_IN) === '1';
/**
 * Whether a session is impossible: this page was served to a visitor, or came from the device, whose copy names nobody;
 * no cookie shows a sign-in since, and nobody was signed in last time. Only then the server need not be asked.
 */
export const isVisitor = (): boolean => servedToVisitor() && !wasSignedIn() && sessionMark() === null;
// A worker that took over later does not tell for whom the server rendered the page.
const servedToVisitor = () =>
  (refusable(() => navigator.serviceWorker.controller) !== null && !wasTakenOver()) ||
  navigationOf()?.serverTiming?.some(({ name }) => name === VISITOR_MARK) === true;
/** Who was signed in here last time: their data is prepared until the server answers. */
export const lastMember = (): string | null => (wasSignedIn() ? read(WHOSE) : null);
/** Records who is signed in. Removes hints of another member who never signed out. */
export function rememberSignedIn(userId: string | null): void {
  const before = read(WHOSE);
  if (before !== null && before !== userId) forgetHints();
  // Another tab may have written it while this one forgot.
  if (userId === null) rememberCommunity(null);
  write(WHOSE, userId);
  write(SIGNED_IN, userId === null ? null : '1');
}
/** The session is shut out: the next page does not start in a member's frame, but drafts stay. */
export const rememberShutOut = (): void => write(SIGNED_IN, null);

/** When the server last answered, epoch ms by the device's clock; null when unknown. */
export const answeredAt = (): number | null => Number(read(ANSWERED)) || null;
export const rememberAnswered = (at: number): void => write(ANSWERED, String(at));

/** How far the device's clock is behind the server's, ms; negative when ahead. */
export const clockOff = (): number => Number(read(CLOCK_OFF)) || 0;
export const rememberClockOff = (ms: number): void => write(CLOCK_OFF, ms === 0 ? null : String(ms));

/** Forms that visitors filled in and that are not sent yet (`features/partnerships/queue.ts`). */
export const VISITORS = 'muster-visitors';
/** Everything here concerns the member, drafts included, except these. */
const OF_THE_DEVICE: ReadonlySet<string> = new Set([...Object.values(BOOT_KEYS), ANSWERED, CLOCK_OFF, VISITORS]);
/** Forgets the last member. */
export function forgetHints(): void {
  for (const key of local.keys()) if (!OF_THE_DEVICE.has(key)) write(key, null);
}

/** Earlier builds stored the acknowledgement overlay here; it is in the device's database now. */
export const dropOldOverlay = (): void => write('muster-told', null);

/** Mirror of the theme for `/boot.js`, which runs before the first paint. The device's database is authoritative. */
export const themeMirror = (): string | null =>
  // The demo may read nothing here, so it takes the colours that `/boot.js` has painted.
  isDemo ? (document.documentElement.dataset['theme'] ?? null) : read(BOOT_KEYS.theme);
export const mirrorTheme = (theme: string): void => write(BOOT_KEYS.theme, theme);
