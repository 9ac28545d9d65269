import type { LogKind } from '../server/contract/logs.ts';
import type { DeviceSubscription } from './push.ts';
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
 * What the device worker does for a page, over Comlink. A worker may die before it answers; the page then repeats the
 * call to another worker (`app/lib/device-line.ts`). So every call is safe to repeat.
 */
export type DeviceApi = {
  storageState(): Promise<StorageState>;
  getTheme(): Promise<ThemePreference>;
  setTheme(theme: ThemePreference): Promise<void>;
  /** Stores a log entry, then tries to deliver it. Never throws. An entry without an id must not be repeated. */
  appendLog(kind: LogKind, data: Record<string, unknown>, id?: string): Promise<void>;
  /** Unsent actions of one member, oldest first. */
  outbox(userId: string): Promise<OutboxEntry[]>;
  /** Resolves once the entry is durable; the sending goes on behind. */
  enqueue(entry: NewOutboxEntry): Promise<void>;
  /** Removes entries that were never sent, all in one transaction, and returns their ids. */
  undo(ids: readonly string[]): Promise<string[]>;
  /** Sends what is held now. */
  release(ids: readonly string[]): Promise<void>;
  /** Puts an entry back in its lane, to be sent now. */
  retry(id: string): Promise<void>;
  /**
   * Sends a refused entry again with another body from the same position in its lane. To the server it is a new command
   * with the id `next`. Returns false when the entry is not refused (any more).
   */
  edit(id: string, body: unknown, next: string): Promise<boolean>;
  /** Removes an entry. One that is being sent is hidden at once and never sent again. */
  discard(id: string): Promise<void>;
  /**
   * Sends what is due. `hurry` includes entries in backoff (back online, screen visible again), `held` includes entries
   * that could still be undone.
   */
  drain(options?: { hurry?: boolean; held?: boolean }): Promise<DrainReport>;
  /** What the server has answered to a member's commands and their cached reads may not show yet, oldest first. */
  acknowledged(userId: string): Promise<Acknowledgement[]>;
  /** A read of `from` (epoch ms) shows these (by `key`): each is removed once all of its reads do. */
  settleAcknowledged(read: ClaimRead, keys: readonly string[], from: number): Promise<void>;
  /** Removes all acknowledgements: their member may no longer see any of them. */
  purgeAcknowledged(): Promise<void>;
  /** The members who want notifications on this device, and the subscription; null when there never was one. */
  push(): Promise<PushMeta | null>;
  /**
   * Keeps this browser's subscription and sends it to the server. Resolves once it is durable, with false where it was to be
   * wanted (`ifWanted`) and is not.
   */
  storeSubscription(given: DeviceSubscription): Promise<boolean>;
  /** There is no subscription any more, and `unwantedBy` will not want one when they come back. */
  forgetSubscription(unwantedBy: string | null): Promise<void>;
  /** A member's practice record on this device. The empty partition is for visitors. */
  practice(partition: string): Promise<PracticeRecord>;
  /** Keeps one answer of practice. */
  notePractice(partition: string, note: PracticeNote): Promise<void>;
  /** Says who is signed in; a sign-in lets entries that met a 401 go on. What was acknowledged to others is purged. */
  setMember(userId: string | null): Promise<void>;
  /** Everything that the device stores about a member, for their data export. */
  everything(
    userId: string,
  ): Promise<{ outbox: OutboxEntry[]; logs: LogRow[]; acknowledged: Acknowledgement[]; practice: MetaRow[] }>;
  /** Throws all of that away, what is not sent yet included. */
  forget(userId: string): Promise<void>;
};
