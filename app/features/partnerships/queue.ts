import { useSyncExternalStore } from 'react';
import type { NewPartnership, PartnershipStatus } from '../../../server/contract/partnerships.ts';
import { type SendAnswer, sendOverNetwork } from '../../../worker/send.ts';
import { backoffOf, errorOf, retryAfterOf, verdictOf } from '../../../worker/verdict.ts';
import { local } from '../../lib/browser.ts';
import { VISITORS } from '../../lib/hints.ts';
import { serverWords } from '../../lib/server-words.ts';

/**
 * Requests of somebody who is not signed in, on this device: the outbox is its member's, and a visitor has none. What waits is sent
 * under the id that it was written with, so that however often it is sent it is one request; what was sent is remembered by that id
 * alone, without its words.
 */
const WAITING = VISITORS;
const SENT = 'muster-visitors-sent';

/** A request that the server has not taken yet. Times are epoch milliseconds by the device's clock. */
export type WaitingRequest = {
  id: string;
  body: NewPartnership;
  writtenAt: number;
  attempts: number;
  /** Not before; null: now. */
  nextTryAt: number | null;
  /** The server's words where it will not take it: there is something to mend. */
  refused: string | null;
};
/** What the server last said of a request, and when it was asked. */
export type SentRequest = PartnershipStatus & { seenAt: number };

function readList<T>(key: string): T[] {
  try {
    const stored: unknown = JSON.parse(local.get(key) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();
/** What is on the screen is the same object until something changes. */
let shown: { waiting: WaitingRequest[]; sent: SentRequest[] } | null = null;
const stored = () => {
  shown ??= { waiting: readList<WaitingRequest>(WAITING), sent: readList<SentRequest>(SENT) };
  return shown;
};
function write(key: string, list: readonly unknown[]): boolean {
  const isStored = local.set(key, list.length === 0 ? null : JSON.stringify(list));
  changed();
  return isStored;
}
function changed(): void {
  shown = null;
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  const onOtherTab = ({ key }: StorageEvent) => (key === WAITING || key === SENT) && changed();
  listeners.add(listener);
  addEventListener('storage', onOtherTab);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', onOtherTab);
  };
}

/** A visitor's requests of this device: those that wait, and those that were sent. */
export const useVisitorRequests = () => useSyncExternalStore(subscribe, stored, stored);

/** Keeps a request and sends it, now or when there is a connection. False: it outlives only this page, storage is blocked or full. */
export function enqueueRequest(id: string, body: NewPartnership): boolean {
  const one: WaitingRequest = { id, body, writtenAt: Date.now(), attempts: 0, nextTryAt: null, refused: null };
  const isStored = write(WAITING, [...readList<WaitingRequest>(WAITING), one]);
  void sendWaiting();
  return isStored;
}
/** Takes back what waits. */
export const discardRequest = (id: string): void =>
  void write(
    WAITING,
    readList<WaitingRequest>(WAITING).filter((one) => one.id !== id),
  );
/** This device forgets a request; the server does not. */
export const forgetRequest = (id: string): void =>
  void write(
    SENT,
    readList<SentRequest>(SENT).filter((one) => one.id !== id),
  );
/** Keeps what the server says of a request now. */
export function noteStatus(status: PartnershipStatus): void {
  const others = readList<SentRequest>(SENT).filter(({ id }) => id !== status.id);
  write(SENT, [{ ...status, seenAt: Date.now() }, ...others]);
}

const isDue = ({ refused, nextTryAt }: WaitingRequest, now: number): boolean =>
  refused === null && (nextTryAt === null || nextTryAt <= now);

let sending: Promise<void> | null = null;
/** Sends what is due, one after another. @param hurry also what only waits for its own pause */
export function sendWaiting(hurry = false): Promise<void> {
  sending ??= sendAll(hurry).finally(() => {
    sending = null;
    wakeForNext();
  });
  return sending;
}

async function sendAll(hurry: boolean): Promise<void> {
  for (const one of readList<WaitingRequest>(WAITING))
    if (isDue(one, Date.now()) || (hurry && one.refused === null)) await sendOne(one);
}

async function sendOne(one: WaitingRequest): Promise<void> {
  // Nobody's session goes along: whoever wrote it was not signed in.
  const answer = await sendOverNetwork({
    method: 'PUT',
    path: `/api/partnership-requests/${one.id}`,
    headers: { accept: 'application/json' },
    body: one.body,
    credentials: 'omit',
  }).catch(() => null);
  const verdict = answer === null ? 'retry' : verdictOf(answer);
  const list = readList<WaitingRequest>(WAITING);
  // Taken back meanwhile, or sent by another tab.
  if (!list.some(({ id }) => id === one.id)) return;
  if (verdict === 'delivered' && answer) {
    noteStatus(answer.body as PartnershipStatus);
    return discardRequest(one.id);
  }
  write(
    WAITING,
    list.map((stored) => (stored.id === one.id ? after(stored, answer, verdict === 'refused') : stored)),
  );
}

function after(one: WaitingRequest, answer: SendAnswer | null, isRefused: boolean): WaitingRequest {
  const attempts = one.attempts + 1;
  if (isRefused) return { ...one, attempts, nextTryAt: null, refused: serverWords(errorOf(answer)) };
  const wait = (answer && retryAfterOf(answer, Date.now())) ?? backoffOf(attempts, Math.random);
  return { ...one, attempts, nextTryAt: Date.now() + wait };
}

let timer: ReturnType<typeof setTimeout> | undefined;
/** No longer than a day, which is the most that the server may ask for. */
function wakeForNext(): void {
  clearTimeout(timer);
  const times = readList<WaitingRequest>(WAITING).flatMap(({ refused, nextTryAt }) =>
    refused === null ? [nextTryAt ?? Date.now()] : [],
  );
  if (times.length > 0) timer = setTimeout(() => void sendWaiting(), Math.max(1_000, Math.min(...times) - Date.now()));
}

let isWatching = false;
/** Sends what waits now, when the network is back, and when the page is looked at again. Any page of the app may call it. */
export function sendWhenPossible(): void {
  void sendWaiting();
  if (isWatching) return;
  isWatching = true;
  addEventListener('online', () => void sendWaiting(true));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void sendWaiting());
}
