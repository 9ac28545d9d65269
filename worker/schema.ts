import type { Claim } from '../server/contract/claims.ts';
import type { LogKind } from '../server/contract/logs.ts';

/**
 * The one database of the device. Two libraries open it (Dexie in the device worker, idb in the service worker),
 * so its shape is data that both read.
 */
export const DATABASE = 'muster';

/** Primary key of each table. Counting tables give every row the next number and never give one twice. */
export const TABLES = {
  settings: { key: 'key', counts: false },
  meta: { key: 'key', counts: false },
  logs: { key: 'sequence', counts: true },
  outbox: { key: 'position', counts: true },
  acknowledged: { key: 'key', counts: false },
} as const;
export type TableName = keyof typeof TABLES;
export const TABLE_NAMES = /* @__PURE__ */ Object.keys(TABLES) as TableName[];

export type ThemePreference = 'light' | 'dark' | 'system';

/**
 * Where the device stores its data. In memory everything works, but nothing outlives the worker. Reasons: the browser
 * refuses IndexedDB (`refused`: private mode, blocked), the disk is full (`full`), the connection was lost (`lost`), or
 * a frozen page blocks every transaction (`held`). `silent` is a page's own state: no worker answers it.
 */
export type StorageState =
  | { kind: 'durable' }
  | { kind: 'memory'; reason: 'refused' | 'full' | 'lost' | 'held' | 'silent' };

/** Why the server refused an entry, in its own words, or why it could not be sent. */
export type SendError = {
  status: number;
  reason: string;
  message: string;
  requestId: string;
  /** What the reason is about. Rows of older builds have none. */
  details?: unknown;
};

/** A member's action that the server has not acknowledged yet, as screens see it. */
export type OutboxEntry = {
  /** UUIDv7; sent as `Idempotency-Key`. */
  id: string;
  /** The member who made the command. It is never sent under another member's session. */
  userId: string;
  /**
   * Entries of one lane are sent in order, and so with those of a lane within it (`a/b` lies within `a`). Others do not
   * wait for each other.
   */
  lane: string;
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path of the API, with its leading slash. */
  path: string;
  /** JSON, or a `Blob`: the bytes of an image. A row may have them as `Bytes`. */
  body: unknown;
  /** What the member did, in words for the list of unsent actions. */
  label: string;
  /** What it is about, for screens that mark it pending: `claim:<communityId>:<taskId>`. */
  subject: string;
  /** Epoch milliseconds by the device's clock. */
  createdAt: number;
  state: 'waiting' | 'sending' | 'refused';
  /** How often it was sent. */
  attempts: number;
  /**
   * Not before this time (epoch milliseconds); null when only its lane or the sign-in holds it back. For an entry that
   * was never sent, the member can undo it until then (`isHeld`).
   */
  nextTryAt: number | null;
  error: SendError | null;
};
/** The page makes the `id`, so a repeated call stores the entry once. */
export type NewOutboxEntry = Pick<
  OutboxEntry,
  'id' | 'userId' | 'lane' | 'method' | 'path' | 'body' | 'label' | 'subject'
> & {
  /** How long it can be undone before it is sent. The device stores it until then, even if the page closes. */
  holdMs?: number;
};

/** An image where the browser's database cannot store a `Blob`: WebKit in a private window. */
export type Bytes = { type: string; bytes: ArrayBuffer };
export const isBytes = (body: unknown): body is Bytes => (body as Bytes | null)?.bytes instanceof ArrayBuffer;

export type OutboxRow = OutboxEntry & {
  position: number;
  /** While sending: the entry belongs to one sender until then. A sender that died leaves it behind. */
  leasedUntil: number | null;
  /** Leased by a sender that could not get the lock in time. Rows of older builds have none. */
  beside?: boolean;
  /** When `nextTryAt` was written, by the device's clock. */
  triedAt: number | null;
  /** `nextTryAt` was named by the server (`Retry-After`): no event on the device shortens it. */
  serverNamedTime: boolean;
  /** The member discarded it while it was being sent: it is never sent again. Rows of older builds have none. */
  discarded?: boolean;
};

/** A cached read that shows claims: a community's dashboard, one task, a reviewer's queue. */
export type ClaimRead = 'dashboard' | 'task' | 'queue';

/** A claim as the server answered a command, until the cached reads that show it are from after that. */
export type Acknowledgement = {
  /** `<userId>:<claim id>`: each claim's last answer is stored. */
  key: string;
  /** The member who sent the command. No other member sees it. */
  userId: string;
  /** From the command's path; null where the path names none. */
  communityId: string | null;
  claim: Claim;
  /** Whether it is the member's own claim. Otherwise it is another member's, which they reviewed. */
  own: boolean;
  /** When the answer came, in epoch milliseconds by the device's clock. */
  at: number;
  /** Reads that have not been answered since. */
  pendingIn: ClaimRead[];
};

export type LogRow = {
  sequence: number;
  /** UUIDv7: the server stores an id once. */
  id: string;
  kind: LogKind;
  /** The member at the time, or null; another member's session never carries it. */
  userId: string | null;
  data: Record<string, unknown>;
  /** What makes two entries repeats of each other. */
  fold: string;
  /** Epoch milliseconds of the first of the repeats. */
  at: number;
  repeats: number;
  /** Id of the last counted repeat: a repeated call counts once. */
  lastRepeat?: string;
  /** Was sent at least once: the server may have it, so nothing is folded into it any more. */
  sent: boolean;
};

/** State of the logs' delivery. The fields have the same meaning as an outbox row's. */
export type LogDelivery = {
  /** Entries of the next request, at most. */
  batch: number;
  attempts: number;
  nextTryAt: number | null;
  triedAt: number | null;
  serverNamedTime: boolean;
};

export type PushMeta = {
  /** Members who want notifications on this device, when signed in. */
  members: string[];
  /** The member for whom the subscription was last stored. */
  userId: string;
  /** Null when there is none: the session ended, so the server deleted it. */
  endpoint: string | null;
  publicKey: string;
  /** Epoch milliseconds. */
  keptAt: number;
};

/** Small facts of the device, one row each. */
export type Meta = {
  /** The member signed in on this device, as the server last named them. */
  member: string | null;
  /** The member whose session the server no longer knew; the outbox rests until they sign in again. */
  paused: string | null;
  /** Names this installation in its logs, so operators can tell a gap in its numbers from another device's. */
  deviceId: string;
  /** Entries lost to the cap since the last delivered count. */
  dropped: Record<LogKind, number>;
  logDelivery: LogDelivery;
  /** Members who want notifications on this device, and the last subscription; null when there never was one. */
  push: PushMeta | null;
  /** Ids of undone entries, newest last: a worker that wakes up late must not store them again. */
  undone: string[];
  /** Shell cache of the active build. An update keeps its files for the tabs that are still open. */
  activeShell: string;
};
/** State of one practised question: its schedule (ts-fsrs) and its last answer. */
export type PracticeCard = {
  /** Epoch milliseconds of when it is due, and of its last answer. */
  dueAt: number;
  lastAt: number;
  lastRight: boolean;
  /** Days from the last answer to the next. */
  interval: number;
  stability: number;
  difficulty: number;
  reps: number;
  lapses: number;
  /** 0 new, 1 learning, 2 review, 3 relearning. */
  state: number;
};
export type PracticeDay = { answered: number; right: number };
/** Cards by pack and question, and days by their date, `2026-11-26` on the device's own clock. */
export type PracticeRecord = {
  cards: Record<string, Record<string, PracticeCard>>;
  days: Record<string, PracticeDay>;
};
export type PracticeNote = { pack: string; question: string; card: PracticeCard; day: string; isRight: boolean };

export type MetaRow = { key: string; value: unknown };

export type Rows = {
  settings: { key: string; value: unknown };
  meta: MetaRow;
  logs: LogRow;
  outbox: OutboxRow;
  acknowledged: Acknowledgement;
};

/** Messages between the pages and workers of one device over the BroadcastChannel `DEVICE_CHANNEL`. */
export type DeviceEvent =
  | { type: 'OUTBOX_CHANGED' }
  /**
   * The server has acknowledged an entry; it is gone from the outbox. `answer` is its JSON, or null. A service worker of
   * an earlier build says nothing of `acknowledged`.
   */
  | {
      type: 'DELIVERED';
      entry: OutboxEntry;
      status: number;
      answer: unknown;
      acknowledged?: Acknowledgement | null;
    }
  | { type: 'REFUSED'; entry: OutboxEntry }
  /** Sent under no session of the member's: what they did waits until they are known to be signed in. */
  | { type: 'UNAUTHENTICATED'; userId: string }
  /** A shared worker fell silent; the one of this number has taken its place. */
  | { type: 'MOVED'; to: number }
  | { type: 'MEMBER_CHANGED'; userId: string | null }
  /** A worker keeps its things elsewhere than before: ask it where. */
  | { type: 'STORAGE_CHANGED' }
  /** Something waits because the server did not answer at all, or has not for a while. */
  | { type: 'NO_ANSWER' }
  /** The server answers (again): a caller still waiting for an earlier answer should ask once more. */
  | { type: 'REACHABLE' };
