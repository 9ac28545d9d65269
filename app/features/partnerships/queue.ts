import { useSyncExternalStore } from 'react';
import type { NewPartnership, PartnershipStatus } from '../../../server/contract/partnerships.ts';
import { type SendAnswer, sendOverNetwork } from '../../../worker/send.ts';
import { backoffOf, errorOf, retryAfterOf, verdictOf } from '../../../worker/verdict.ts';
import { local } from '../../lib/browser.ts';
import { VISITORS } from '../../lib/hints.ts';
import { serverWords } from '../../lib/server-words.ts';

/**
 * A visitor's requests on this device: only members have an outbox. A waiting request keeps its id, so repeats count
 * once; of a sent one only the id is stored, without its text.
 */
const WAITING = VISITORS;
const SENT = 'muster-visitors-sent';

/** A request that the server has not accepted yet. Times are epoch milliseconds by the device's clock. */
export type WaitingRequest = {
  id: string;
  body: NewPartnership;
  writtenAt: number;
  attempts: number;
  /** Earliest next try; null: now. */
  nextTryAt: number | null;
  /** The server's reason for a refusal, which the visitor has to fix. */
  refused: string | null;
};
/** The last known status of a request, and when it was read. */
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
/** A stable object until something changes. */
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

/** A visitor's requests on this device: waiting and sent. */
export const useVisitorRequests = () => useSyncExternalStore(subscribe, stored, stored);

/**
 * Stores a request and sends it, now or when there is a connection. False: it lives only as long as the page, because
 * storage is blocked or full.
 */
export function enqueueRequest(id: string, body: NewPartnership): boolean {
  const one: WaitingRequest = { id, body, writtenAt: Date.now(), attempts: 0, nextTryAt: null, refused: null };
  const isStored = write(WAITING, [...readList<WaitingRequest>(WAITING), one]);
  void sendWaiting();
  return isStored;
}
/** Withdraws a waiting request. */
export const discardRequest = (id: string): void =>
  void write(
    WAITING,
    readList<WaitingRequest>(WAITING).filter((one) => one.id !== id),
  );
/** Forgets a request on this device, not on the server. */
export const forgetRequest = (id: string): void =>
  void write(
    SENT,
    readList<SentRequest>(SENT).filter((one) => one.id !== id),
  );
/** Stores a request's current status. */
export function noteStatus(status: PartnershipStatus): void {
  const others = readList<SentRequest>(SENT).filter(({ id }) => id !== status.id);
  write(SENT, [{ ...status, seenAt: Date.now() }, ...others]);
}

const isDue = ({ refused, nextTryAt }: WaitingRequest, now: number): boolean =>
  refused === null && (nextTryAt === null || nextTryAt <= now);

let sending: Promise<void> | null = null;
/** Sends due requests one after another. @param hurry ignores their pauses */
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
  // Sent without a session, because the author was not signed in.
  const answer = await sendOverNetwork({
    method: 'PUT',
    path: `/api/partnership-requests/${one.id}`,
    headers: { accept: 'application/json' },
    body: one.body,
    credentials: 'omit',
  }).catch(() => null);
  const verdict = answer === null ? 'retry' : verdictOf(answer);
  const list = readList<WaitingRequest>(WAITING);
  // Withdrawn in the meantime, or sent by another tab.
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
/** At most a day, the longest pause that the server may ask for. */
function wakeForNext(): void {
  clearTimeout(timer);
  const times = readList<WaitingRequest>(WAITING).flatMap(({ refused, nextTryAt }) =>
    refused === null ? [nextTryAt ?? Date.now()] : [],
  );
  if (times.length > 0) timer = setTimeout(() => void sendWaiting(), Math.max(1_000, Math.min(...times) - Date.now()));
}

let isWatching = false;
/** Sends waiting requests now, when the network returns, and when the page is shown again. Any page may call it. */
export function sendWhenPossible(): void {
  void sendWaiting();
  if (isWatching) return;
  isWatching = true;
  addEventListener('online', () => void sendWaiting(true));
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && void sendWaiting());
}
