/** Push on this device: specification, sections 4, 5 and 8. */
import type { PushSubscriptionJson } from '../../server/contract/push.ts';
import { refusable, within } from '../../worker/browser.ts';
import { newId } from '../../worker/ids.ts';
import { m } from '../paraglide/messages.js';
import { isDemo, notifications, persistStorage, serviceWorkers } from './browser.ts';
import { device, enqueue } from './device.ts';
import { call } from './http.ts';
import { log } from './logs.ts';
import { product } from './product.ts';

/** Subscriptions are saved again at this interval, in case the server lost one. */
const RESAVED_AFTER_MS = 24 * 60 * 60_000;
const READY_WITHIN_MS = 10_000;
const SUBSCRIBED_WITHIN_MS = 30_000;
const DETACHED_WITHIN_MS = 3_000;

/**
 * `demo`: the page shows them itself. `frame`: inside another site's page, where the prompt would seem to be that
 * site's. `ios`: only the installed app can; `none`: this browser cannot.
 */
export type Support = 'yes' | 'none' | 'ios' | 'frame' | 'demo';

const isIos = () =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1);

/** Production, replit and local hosts may also ask inside a frame. */
export function mayRequestInFrame(host: string, production: readonly string[]): boolean {
  return (
    production.some((one) => one.replace(/:\d+$/, '') === host) ||
    /(^|\.)(replit\.(app|dev|com)|repl\.co)$/.test(host) ||
    ['localhost', '127.0.0.1', '[::1]'].includes(host)
  );
}
const isFramed = () => globalThis.self !== globalThis.top;

/** Whether this browser can ask for permission here. */
export function support(): Support {
  if (isDemo) return 'demo';
  const has = notifications() !== null && 'PushManager' in globalThis && serviceWorkers() !== null;
  if (!has) return isIos() ? 'ios' : 'none';
  return isFramed() && !mayRequestInFrame(location.hostname, product.productionHosts) ? 'frame' : 'yes';
}

/** Why notifications cannot be turned on, in words for people. */
export class PushProblem extends Error {
  override readonly name = 'PushProblem';
}

export async function fetchPublicKey(): Promise<string> {
  const publicKey = await call('GET /api/vapid-public-key').then(
    (answer) => answer.publicKey,
    () => '',
  );
  if (!publicKey) throw new PushProblem(m.push_no_key());
  return publicKey;
}

/** The service worker and the push service belong to the browser and may never answer. @throws {PushProblem} then */
const inTime = <T>(work: Promise<T>, ms: number): Promise<T> => within(work, ms, new PushProblem(m.push_not_ready()));

/**
 * The browser's push manager, once a worker is active: a first visit may still be installing.
 * @throws {PushProblem} where none becomes active, as in a browser that blocks storage
 */
async function pushManagerHere(): Promise<PushManager> {
  const ready = serviceWorkers()?.ready;
  const registration = ready && (await inTime(ready, READY_WITHIN_MS));
  const pushManager = refusable(() => registration?.pushManager);
  if (!pushManager) throw new PushProblem(m.push_unsupported());
  return pushManager;
}

const base64url = (bytes: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
const keyOf = ({ options }: PushSubscription): string =>
  options?.applicationServerKey ? base64url(options.applicationServerKey) : '';

/** Chromium gives this address after its push service revoked the subscription: nothing ever arrives there. */
const isDead = ({ endpoint }: PushSubscription): boolean => /^https:\/\/[^/]*\.invalid\//.test(endpoint);
/** A browser whose subscription was revoked needs a moment before it can give a new one. */
const AFTER_DEAD_MS = 1_000;

/**
 * The browser's subscription for this key: the existing one unless it is `lost`, else a new one.
 * @throws {PushProblem} when the browser twice gives one that cannot receive anything
 */
async function reuseOrCreate(publicKey: string, lost: string | null = null): Promise<PushSubscription> {
  const pushManager = await pushManagerHere();
  const there = await pushManager.getSubscription();
  const isGood = there && there.endpoint !== lost && !isDead(there);
  if (isGood && (keyOf(there) === publicKey || keyOf(there) === '')) return there;
  await there?.unsubscribe();
  const subscribe = () => pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const made = await subscribe();
  if (!isDead(made)) return made;
  await made.unsubscribe();
  await new Promise((done) => setTimeout(done, AFTER_DEAD_MS));
  const again = await subscribe();
  if (!isDead(again)) return again;
  await again.unsubscribe();
  throw new PushProblem(m.push_removed());
}

const save = (userId: string, subscription: PushSubscription, publicKey: string, ifWanted = false) =>
  device.storeSubscription({
    id: newId(),
    userId,
    subscription: subscription.toJSON() as PushSubscriptionJson,
    publicKey,
    label: m.push_label(),
    ifWanted,
  });

/**
 * Asks for permission, subscribes, and saves the subscription on the server. Call it from a press, after the person has
 * read what it is for. Answers the permission; only `granted` comes with a subscription.
 * @throws {PushProblem} in the words of the specification
 */
export async function enablePush(userId: string): Promise<NotificationPermission> {
  const here = support();
  if (here === 'frame') throw new PushProblem(m.push_framed());
  if (here !== 'yes') throw new PushProblem(m.push_unsupported());
  // First of all: a press allows the prompt only for a moment.
  const permission = (await notifications()?.requestPermission()) ?? 'denied';
  log('push.permission', { permission });
  if (permission !== 'granted') return permission;
  const publicKey = await fetchPublicKey();
  // The server dropped this one: its push service called it gone without telling the browser.
  const lost = (await device.push())?.endpoint ?? null;
  await save(userId, await inTime(reuseOrCreate(publicKey, lost), SUBSCRIBED_WITHIN_MS), publicKey);
  persistStorage();
  return permission;
}

/** Turns notifications off on this device for good. */
export async function disablePush(userId: string): Promise<void> {
  const pushManager = await pushManagerHere();
  // First, so `reconcile` saves none from now on; the subscription saved before is the current one.
  await device.forgetSubscription(userId);
  const subscription = await inTime(pushManager.getSubscription(), SUBSCRIBED_WITHIN_MS);
  if (!subscription) return;
  const { endpoint } = subscription;
  const entry = { lane: 'push', method: 'POST', path: '/api/pwa/unsubscribe', label: m.push_label_off() } as const;
  await enqueue({ ...entry, body: { endpoint }, subject: 'push:off' });
  await inTime(subscription.unsubscribe(), SUBSCRIBED_WITHIN_MS);
}

/**
 * Repairs the subscription of a member who wants notifications here, after a new session, a new server key, or one that
 * the browser dropped. Never asks. `isStill` says whether they are still signed in.
 */
export async function reconcile(userId: string, isStill: () => boolean): Promise<void> {
  if (support() !== 'yes' || notifications()?.permission !== 'granted') return;
  const push = await device.push();
  if (!push?.members.includes(userId)) return;
  const publicKey = await fetchPublicKey().catch(() => push.publicKey);
  const subscription = await reuseOrCreate(publicKey);
  // The member signed out in the meantime, which may have ended an earlier subscription already.
  if (!isStill()) return void (await subscription.unsubscribe());
  const isSaved = push.userId === userId && push.endpoint === subscription.endpoint && push.publicKey === publicKey;
  if (isSaved && Date.now() - push.keptAt < RESAVED_AFTER_MS) return;
  // The member turned notifications off while the key was loading.
  if (!(await save(userId, subscription, publicKey, true))) await subscription.unsubscribe();
}

/** Signing out: the server forgets the subscription with the session, the browser here. Never throws or hangs. */
export async function detach(): Promise<void> {
  const ended = async () => {
    await device.forgetSubscription(null);
    const there = await (await serviceWorkers()?.getRegistration('/'))?.pushManager?.getSubscription();
    await there?.unsubscribe();
  };
  const late = new Promise<void>((done) => setTimeout(done, DETACHED_WITHIN_MS));
  await Promise.race([ended().catch(() => undefined), late]);
}
