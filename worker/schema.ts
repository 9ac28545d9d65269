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
 * Where the device keeps what it holds. In memory all goes on, but nothing outlives the worker: the browser refuses its
 * database (`refused`: private mode, blocked), has no room left (`full`), lost it on the way (`lost`), or somebody who is paused
 * in the midst of a transaction keeps everybody else out (`held`). A page says of itself that nobody answers it (`silent`).
 */
export type StorageState =
  | { kind: 'durable' }
  | { kind: 'memory'; reason: 'refused' | 'full' | 'lost' | 'held' | 'silent' };

/** Why the server would not take an entry, in its own words, or what stands in the way of sending it. */
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
  /** Who did it. Sent under nobody else's session. */
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
  /** How often it was put on the air. */
  attempts: number;
  /**
   * Not before this time (epoch milliseconds); null when nothing holds it back but its lane or the sign-in. Of an entry that
   * was never on the air it is until when its member may undo it (`held.ts`).
   */
  nextTryAt: number | null;
  error: SendError | null;
};
/** Its page names it (`id`), so that it may be asked for twice and is kept once. */
export type NewOutboxEntry = Pick<
  OutboxEntry,
  'id' | 'userId' | 'lane' | 'method' | 'path' | 'body' | 'label' | 'subject'
> & {
  /** So long it may be undone before it is sent, where the device keeps it meanwhile whatever becomes of the page. */
  holdMs?: number;
};

/** An image where the browser's database keeps no `Blob`: WebKit's, in a private window. */
export type Bytes = { type: string; bytes: ArrayBuffer };
export const isBytes = (body: unknown): body is Bytes => (body as Bytes | null)?.bytes instanceof ArrayBuffer;

export type OutboxRow = OutboxEntry & {
  position: number;
  /** While sending: the entry belongs to one sender until then. A sender that died leaves it behind. */
  leasedUntil: number | null;
  /** Leased by a sender that could not wait for the lock. Rows of older builds have none. */
  beside?: boolean;
  /** When `nextTryAt` was written, by the device's clock. */
  triedAt: number | null;
  /** `nextTryAt` was named by the server (`Retry-After`): no event on the device shortens it. */
  serverNamedTime: boolean;
  /** Its member took it back while it was on the air: it is never sent again. Rows of older builds have none. */
  discarded?: boolean;
};

/** A cached read that shows claims: a community's dashboard, one task, a reviewer's queue. */
export type ClaimRead = 'dashboard' | 'task' | 'queue';

/** A claim as the server answered a command, until the cached reads that show it are from after that. */
export type Acknowledgement = {
  /** `<userId>:<claim id>`: of one claim the last answer is kept. */
  key: string;
  /** Whose command it was. Nobody else is shown it. */
  userId: string;
  /** As it stands in the command's path; null where the path names none. */
  communityId: string | null;
  claim: Claim;
  /** The member's own claim; else somebody else's, which they decided about. */
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
  /** Id of the repeat that was counted last: asked for twice it counts once. */
  lastRepeat?: string;
  /** Was on the air at least once: the server may have it, so nothing is folded into it any more. */
  sent: boolean;
};

/** Where delivery of the logs stands; its fields mean what those of an outbox row mean. */
export type LogDelivery = {
  /** Entries of the next request, at most. */
  batch: number;
  attempts: number;
  nextTryAt: number | null;
  triedAt: number | null;
  serverNamedTime: boolean;
};

export type PushMeta = {
  /** Whoever of them is signed in wants notifications on this device. */
  members: string[];
  /** Whom the subscription was last kept for. */
  userId: string;
  /** Null when there is none: the session ended, so the server forgot it. */
  endpoint: string | null;
  publicKey: string;
  /** Epoch milliseconds. */
  keptAt: number;
};

/** Small facts of the device, one row each. */
export type Meta = {
  /** Who is signed in on this device, as the server last said. */
  member: string | null;
  /** The member whose session the server no longer knew; the outbox rests until they sign in again. */
  paused: string | null;
  /** Names this installation in its logs, so that ops can tell a gap in its numbers from another device's. */
  deviceId: string;
  /** Entries lost to the cap since the last delivered count. */
  dropped: Record<LogKind, number>;
  logDelivery: LogDelivery;
  /** Who wants notifications on this device, and the subscription that was last kept; null when nobody ever did. */
  push: PushMeta | null;
  /** Ids of acts that were taken back, newest last: a worker that wakes up late must not keep them after all. */
  undone: string[];
  /** Shell cache of the build that is active, so that an update keeps its files for the tabs still open. */
  activeShell: string;
};
/** What is known of one question that is practised: the state of its schedule (ts-fsrs), and how it went last. */
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

/** What the rooms of one device tell each other over the BroadcastChannel `DEVICE_CHANNEL`. */
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
  /** The server answers (again): whoever waits for an answer of before should ask once more. */
  | { type: 'REACHABLE' };
