/**
 * What another app handed over (manifest, `share_target`): kept on this device, a day at the longest, until it has been
 * sent or put away. It belongs to whoever is signed in when it comes, or signs in next; nobody else sees it.
 */
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { SHARED } from '../../../server/contract/sw-messages.ts';
import { cachesHere, local } from '../../lib/browser.ts';

const KEY = 'muster-shared';
const KEPT_MS = 24 * 60 * 60_000;

type Shared = { text: string; at: number; userId: string | null; picture?: boolean };

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

/** Keeps a text in the place of what was shared before. */
export function keepShared(text: string, userId: string | null): void {
  void dropPictures();
  store(text === '' ? null : { text, at: Date.now(), userId });
}
/** Keeps other words of what was shared. */
export function changeShared(text: string, userId: string): void {
  const picture = load()?.picture === true;
  store(text === '' && !picture ? null : { text, at: Date.now(), userId, picture });
}
export function forgetShared(): void {
  void dropPictures();
  store(null);
}

/** The words that wait for this person (null: nobody is signed in), empty when none do. */
export const readShared = (userId: string | null): string => sharedFor(userId)?.text ?? '';
/** Whether a picture waits for them. */
export const hasPicture = (userId: string | null): boolean => sharedFor(userId)?.picture === true;

/** The first member who reads what waits has it; what is another's or too old is dropped. */
function sharedFor(userId: string | null): Shared | null {
  const shared = load();
  if (!shared) return null;
  const isAnothers = shared.userId !== null && userId !== null && shared.userId !== userId;
  if (isAnothers || Date.now() - shared.at > KEPT_MS) {
    forgetShared();
    return null;
  }
  if (shared.userId !== null && userId === null) return null;
  if (shared.userId !== userId) store({ ...shared, userId });
  return shared;
}

/** Under which the picture lies: in the cache of what came until somebody is signed in, then among the member's own copies. */
const PICTURE = `${SHARED}/picture`;
/** Goes with everything else of the member's at sign-out, as the service worker names it. */
const partitionOf = (userId: string): string => `private-${userId}`;

/** Takes the form that the service worker laid down, if one did. It takes the place of what was shared before. */
export async function takePosted(): Promise<void> {
  const box = await cachesHere()?.open(SHARED);
  const form = await (await box?.match(SHARED))?.formData();
  if (!box || !form) return;
  await box.delete(SHARED);
  const said = (name: string) => String(form.get(name) ?? '');
  const text = sharedText({ title: said('title'), text: said('text'), url: said('url') });
  const picture = form
    .getAll('picture')
    .find((part): part is File => typeof part !== 'string' && part.size > 0 && part.type.startsWith('image/'));
  await dropPictures();
  if (picture) await box.put(PICTURE, new Response(picture));
  store(text === '' && !picture ? null : { text, at: Date.now(), userId: null, picture: picture !== undefined });
}

/** The picture that waits for this person, who has it from now on. */
export async function readPicture(userId: string | null): Promise<Blob | null> {
  const caches = cachesHere();
  if (!caches || !hasPicture(userId)) return null;
  const box = await caches.open(SHARED);
  const came = await box.match(PICTURE);
  if (userId === null) return (await came?.blob()) ?? null;
  const own = await caches.open(partitionOf(userId));
  if (came) {
    await own.put(PICTURE, came);
    await box.delete(PICTURE);
  }
  return (await (await own.match(PICTURE))?.blob()) ?? null;
}

async function dropPictures(): Promise<void> {
  const caches = cachesHere();
  // Where the browser refuses them there are none.
  for (const name of (await caches?.keys().catch(() => [])) ?? [])
    if (name === SHARED || name.startsWith(partitionOf(''))) await (await caches?.open(name))?.delete(PICTURE);
}
