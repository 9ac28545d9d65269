import type { LogKind } from '../server/contract/logs.ts';
import type { KeptSubscription } from './push.ts';
import type {
  Acknowledgement,
  ClaimRead,
  LogRow,
  MetaRow,
  NewOutboxEntry,
  OutboxEntry,
  PracticeNote,
  PracticeRecord,
  PushMeta,
  StorageState,
  ThemePreference,
} from './schema.ts';

/** What a drain did, and when the next one has something to do (epoch milliseconds; null: nothing waits for a time). */
export type DrainReport = { delivered: number; refused: number; waiting: number; nextAt: number | null };

/**
 * What the device worker does for a page, over Comlink. A worker may die with its answer, and another is asked the same then
 * (`app/lib/device-line.ts`): each of these bears to be asked twice.
 */
export type DeviceApi = {
  storageState(): Promise<StorageState>;
  getTheme(): Promise<ThemePreference>;
  setTheme(theme: ThemePreference): Promise<void>;
  /** Keeps a log entry, then tries to deliver it. Never throws. An entry without an id of its page's is asked for once. */
  appendLog(kind: LogKind, data: Record<string, unknown>, id?: string): Promise<void>;
  /** Unsent actions of one member, oldest first. */
  outbox(userId: string): Promise<OutboxEntry[]>;
  /** Resolves once the entry is durable; the sending goes on behind. */
  enqueue(entry: NewOutboxEntry): Promise<void>;
  /** Takes back those that were never on the air, all at once, and answers their ids. */
  undo(ids: readonly string[]): Promise<string[]>;
  /** Sends what is held now. */
  release(ids: readonly string[]): Promise<void>;
  /** Puts an entry back in its lane, to be sent now. */
  retry(id: string): Promise<void>;
  /**
   * Sends a refused entry again with another body, from its old place in the lane: a new action to the server, under the id
   * `next`. Answers false when the entry is not refused (any more).
   */
  edit(id: string, body: unknown, next: string): Promise<boolean>;
  /** Forgets an entry. One on the air is seen no longer, and is never sent again. */
  discard(id: string): Promise<void>;
  /**
   * Sends what is due; `hurry` also what only waits for its own backoff (back online, screen visible again), `held` also
   * what could still be undone.
   */
  drain(options?: { hurry?: boolean; held?: boolean }): Promise<DrainReport>;
  /** What the server has answered to a member's commands and their cached reads may not show yet, oldest first. */
  acknowledged(userId: string): Promise<Acknowledgement[]>;
  /** A read of `from` (epoch ms) shows these (by `key`): each is removed once all of its reads do. */
  settleAcknowledged(read: ClaimRead, keys: readonly string[], from: number): Promise<void>;
  /** Forgets all that was acknowledged: its member may see none of it any more. */
  purgeAcknowledged(): Promise<void>;
  /** Who wants notifications on this device, and with which subscription; null when nobody does. */
  push(): Promise<PushMeta | null>;
  /**
   * Keeps this browser's subscription and sends it to the server. Resolves once it is durable, with false where it was to be
   * wanted (`ifWanted`) and is not.
   */
  keepSubscription(kept: KeptSubscription): Promise<boolean>;
  /** There is no subscription any more, and `unwantedBy` will not want one when they come back. */
  forgetSubscription(unwantedBy: string | null): Promise<void>;
  /** What was practised on this device by a member, by their id; empty: by whoever is not signed in. */
  practice(partition: string): Promise<PracticeRecord>;
  /** Keeps one answer of practice. */
  notePractice(partition: string, note: PracticeNote): Promise<void>;
  /** Says who is signed in; a sign-in lets entries that met a 401 go on. What was acknowledged to others is purged. */
  setMember(userId: string | null): Promise<void>;
  /** Everything that is kept of a member: for their own archive. */
  everything(
    userId: string,
  ): Promise<{ outbox: OutboxEntry[]; logs: LogRow[]; acknowledged: Acknowledgement[]; practice: MetaRow[] }>;
  /** Throws all of that away, what is not sent yet included. */
  forget(userId: string): Promise<void>;
};
