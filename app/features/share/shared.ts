/**
 * Content from other apps (manifest, `share_target`): stored on this device for at most a day, until it is sent or
 * dismissed. The newest is shown first. It belongs to the member who is signed in when it arrives, or who signs in
 * next; nobody else sees it.
 */
import { SUBMISSION_TEXT_MAX } from '../../../server/contract/limits.ts';
import { SHARED } from '../../../server/contract/sw-messages.ts';
import { cachesHere, local } from '../../lib/browser.ts';

const KEY = 'muster-shared';
const LIFETIME_MS = 24 * 60 * 60_000;

/** `link`: from an address opened here; else from a form. Browsers do not reliably tell who sent either. */
export type Shared = {
  id: string;
  text: string;
  at: number;
  userId: string | null;
  picture?: boolean;
  from: 'form' | 'link';
};

/** Title, text and address as one text without repetition: some apps include one in another. Empty without content. */
export function sharedText(search: { title?: string; text?: string; url?: string }): string {
  const parts = [search.title, search.text, search.url].map((part) => part?.trim() ?? '');
  const lines = parts.filter((part, at) => part !== '' && !parts.some((other, o) => holds(other, part, o < at)));
  return lines.join('\n').slice(0, SUBMISSION_TEXT_MAX);
}
/** Whether `other` contains `part`: with more text, or the same earlier. */
const holds = (other: string, part: string, isEarlier: boolean) =>
  other.includes(part) && (other.length > part.length || (isEarlier && other === part));

/** Newest first. An earlier build stored a single item without an id. */
function load(): Shared[] {
  try {
    const stored = JSON.parse(local.get(KEY) ?? '[]') as Shared[] | Omit<Shared, 'id' | 'from'>;
    return Array.isArray(stored) ? stored : [{ ...stored, id: '', from: 'form' }];
  } catch {
    return [];
  }
}
const store = (all: readonly Shared[]): void => void local.set(KEY, all.length === 0 ? null : JSON.stringify(all));

/** Stores a text before earlier content, without duplicates. */
export function storeShared(text: string, userId: string | null, from: Shared['from'] = 'form'): void {
  const all = load();
  if (text === '' || all.some((one) => one.text === text && !one.picture)) return;
  add(all, { text, userId, from });
}
function add(all: readonly Shared[], one: Pick<Shared, 'text' | 'userId' | 'picture' | 'from'>): Shared {
  const at = Date.now();
  const added = { ...one, id: `${at}-${all.length}`, at };
  store([added, ...all]);
  return added;
}
/** Changes the first item's text. */
export function changeShared(text: string, userId: string): void {
  const [first] = waiting(userId);
  if (!first) return;
  if (text === '' && !first.picture) dismissShared(first.id);
  else store(load().map((one) => (one.id === first.id ? { ...one, text } : one)));
}
/** Moves an earlier item to the front. */
export function moveToFront(id: string): void {
  const all = load();
  store([...all.filter((one) => one.id === id), ...all.filter((one) => one.id !== id)]);
}
/** Removes a sent or dismissed item. */
export function dismissShared(id: string): void {
  void dropPictures((path) => path === pictureOf(id));
  store(load().filter((one) => one.id !== id));
}
export function forgetShared(): void {
  void dropPictures(() => true);
  store([]);
}

/** A person's waiting items (null: signed out), newest first. */
export function waiting(userId: string | null): Shared[] {
  const all = load();
  const isOver = (one: Shared) =>
    (one.userId !== null && userId !== null && one.userId !== userId) || Date.now() - one.at > LIFETIME_MS;
  const over = all.filter(isOver).map(({ id }) => pictureOf(id));
  if (over.length > 0) void dropPictures((path) => over.includes(path));
  // The first member who reads a waiting item owns it. Expired ones are deleted.
  const stored = all.filter((one) => !isOver(one)).map((one) => (userId === null ? one : { ...one, userId }));
  if (JSON.stringify(stored) !== JSON.stringify(all)) store(stored);
  return stored.filter((one) => one.userId === userId);
}
/** The text of their first item, empty without one. */
export const readShared = (userId: string | null): string => waiting(userId)[0]?.text ?? '';
/** Whether the first item is a picture. */
export const hasPicture = (userId: string | null): boolean => waiting(userId)[0]?.picture === true;

/** Cache key of a picture: in the cache of arrivals until someone is signed in, then among the member's copies. */
const PICTURE = `${SHARED}/picture`;
const pictureOf = (id: string): string => (id === '' ? PICTURE : `${PICTURE}/${id}`);
/** Deleted with the member's other copies at sign-out, as the service worker names it. */
const partitionOf = (userId: string): string => `private-${userId}`;

/** Reads the forms that the service worker stored. */
export async function takePosted(): Promise<void> {
  const box = await cachesHere()?.open(SHARED);
  if (!box) return;
  for (const request of await box.keys()) {
    // Pictures wait there, too.
    const form = new URL(request.url).pathname === SHARED && (await (await box.match(request))?.formData());
    if (!form) continue;
    await box.delete(request);
    await takeForm(box, form);
  }
}
async function takeForm(box: Cache, form: FormData): Promise<void> {
  const field = (name: string) => String(form.get(name) ?? '');
  const text = sharedText({ title: field('title'), text: field('text'), url: field('url') });
  const picture = form
    .getAll('picture')
    .find((part): part is File => typeof part !== 'string' && part.size > 0 && part.type.startsWith('image/'));
  if (!picture) return storeShared(text, null);
  const { id } = add(load(), { text, userId: null, picture: true, from: 'form' });
  await box.put(pictureOf(id), new Response(picture));
}

/** The picture of a person's first item, which now belongs to them. */
export async function readPicture(userId: string | null): Promise<Blob | null> {
  const caches = cachesHere();
  const [first] = waiting(userId);
  if (!caches || !first?.picture) return null;
  const path = pictureOf(first.id);
  const box = await caches.open(SHARED);
  const came = await box.match(path);
  if (userId === null) return (await came?.blob()) ?? null;
  const own = await caches.open(partitionOf(userId));
  if (came) {
    await own.put(path, came);
    await box.delete(path);
  }
  return (await (await own.match(path))?.blob()) ?? null;
}

async function dropPictures(isMeant: (path: string) => boolean): Promise<void> {
  const caches = cachesHere();
  // A browser that refuses caches has none.
  for (const name of (await caches?.keys().catch(() => [])) ?? []) {
    if (name !== SHARED && !name.startsWith(partitionOf(''))) continue;
    const cache = await caches?.open(name);
    for (const { url } of (await cache?.keys()) ?? []) {
      const { pathname } = new URL(url, location.origin);
      if (pathname.startsWith(PICTURE) && isMeant(pathname)) await cache?.delete(pathname);
    }
  }
}
