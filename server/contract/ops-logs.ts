import * as z from 'zod/mini';
import { instant } from './fields.ts';
import { ALERT_NAME_MAX, LOG_MERGE_MAX, LOG_SEARCH_MAX, RULE_COOLDOWN_MAX_MINUTES, WEBHOOK_URL_MAX } from './limits.ts';
import { LogKind } from './logs.ts';

/**
 * What ops read of the client logs (`/api/admin/client-logs…`). Times are ISO 8601 by the server's clock; a `…Ms` is
 * in milliseconds. Every text came from a stranger's device: show it as text, never as markup.
 * A long file, because it is one list of shapes that name each other.
 */
const Uuid = z.string().check(z.regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'must be a UUID'));
/** Years 1 to 9999: those that JavaScript and PostgreSQL write alike. */
const [FIRST, LAST] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
const isWritable = (text: string): boolean => Date.parse(text) >= FIRST && Date.parse(text) <= LAST;
const Time = instant.check(z.refine(isWritable, 'must be a time of the years 1 to 9999'));
const Short = z.string().check(z.minLength(1), z.maxLength(200));
/** A whole number as a query carries it. */
const Digits = z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'must be a whole number'));

export const IssueState = z.enum(['open', 'resolved', 'ignored']);
export type IssueState = z.infer<typeof IssueState>;

/**
 * Filters, the same for list, entries, histogram, tail and export; all of them must hold. They belong in the URL of the
 * screen as they are. `from` and `to` bound when it happened (default: the last 24 hours; `to` is exclusive).
 * On the issues list a filter chooses the issues that have such an entry; counts are always of the whole issue in the
 * range. Everywhere else it chooses the entries themselves.
 */
const filters = {
  /** Text that the message contains; on the issues list any part of title, location or type. */
  q: z.optional(z.string().check(z.maxLength(LOG_SEARCH_MAX))),
  kind: z.optional(LogKind),
  from: z.optional(Time),
  to: z.optional(Time),
  issue: z.optional(Uuid),
  /** Member who sent it. */
  user: z.optional(Uuid),
  /** The device's own name for itself. */
  device: z.optional(Short),
  release: z.optional(Short),
  /** `chromium`, `firefox`, `webkit` or `other`. */
  engine: z.optional(Short),
  /** With its major version, such as `Chrome 141`. */
  browser: z.optional(Short),
  os: z.optional(Short),
  display: z.optional(Short),
  connection: z.optional(Short),
  /** Id or slug of the community in whose pages it happened. */
  community: z.optional(Short),
  route: z.optional(Short),
  source: z.optional(Short),
  /** `yes`: happened while the device was offline. */
  offline: z.optional(z.enum(['yes', 'no'])),
};
export const LogFilters = z.object(filters);
export type LogFilters = z.infer<typeof LogFilters>;

const page = {
  /** `next` of the page before. */
  cursor: z.optional(z.string().check(z.maxLength(300))),
  /** Rows of one page; 50 when absent, at most 200. */
  limit: z.optional(Digits),
};

export const IssueSort = z.enum(['last', 'first', 'count', 'people']);
export type IssueSort = z.infer<typeof IssueSort>;
export const IssuesQuery = z.object({
  ...filters,
  ...page,
  /** `open` when absent. */
  state: z.optional(z.enum(['open', 'resolved', 'ignored', 'any'])),
  /** `last` (last seen first) when absent. */
  sort: z.optional(IssueSort),
});
export type IssuesQuery = z.infer<typeof IssuesQuery>;

/** Until when an ignored issue stays quiet. `forever` needs a hand to open it again. */
export const IgnoreUntil = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('forever') }),
  z.strictObject({ kind: z.literal('time'), at: Time }),
  /** This many more entries, or people who did not have it before. */
  z.strictObject({ kind: z.literal('count'), count: z.int().check(z.gte(1), z.lte(1_000_000)) }),
  z.strictObject({ kind: z.literal('people'), people: z.int().check(z.gte(1), z.lte(1_000_000)) }),
  /** It is seen in a release newer than all of today's. */
  z.strictObject({ kind: z.literal('release') }),
]);
export type IgnoreUntil = z.infer<typeof IgnoreUntil>;

export const Issue = z.object({
  id: z.string(),
  /** Type and message of the latest entry. */
  title: z.string(),
  type: z.string(),
  /** Original file and function of the frame that it is grouped by; null when the stack has none. */
  culprit: z.nullable(z.string()),
  state: IssueState,
  /** Resolved once, and seen again since in a release that should not have it. */
  regression: z.boolean(),
  /** While resolved: the release that has the mend, or null when it is the next one. */
  resolvedIn: z.nullable(z.string()),
  ignoredUntil: z.nullable(IgnoreUntil),
  /** Occurrences in the requested range, including folded repeats. */
  count: z.number(),
  /** Occurrences in total. */
  countAll: z.number(),
  /** People (devices, where signed out) that ever had it. */
  people: z.number(),
  firstSeen: z.string(),
  lastSeen: z.string(),
  firstRelease: z.nullable(z.string()),
  lastRelease: z.nullable(z.string()),
  /** Occurrences in 24 equal steps of the requested range, oldest first. */
  trend: z.array(z.number()),
  /** The one issue that takes what comes after the cap of groups. */
  isOther: z.boolean(),
});
export type Issue = z.infer<typeof Issue>;
export const IssueList = z.object({
  asOf: z.string(),
  from: z.string(),
  to: z.string(),
  issues: z.array(Issue),
  /** How many match by state, whatever `state` filters. */
  states: z.object({ open: z.number(), resolved: z.number(), ignored: z.number() }),
  next: z.nullable(z.string()),
});
export type IssueList = z.infer<typeof IssueList>;

/** One frame of a stack. `original` is false where that build has no stored source map. */
export const Frame = z.object({
  original: z.boolean(),
  /** In the product's own code, not a library's or the browser's. */
  inApp: z.boolean(),
  function: z.nullable(z.string()),
  file: z.nullable(z.string()),
  line: z.nullable(z.number()),
  column: z.nullable(z.number()),
  /** Code around the line; `start` is the number of the first. */
  code: z.nullable(z.object({ start: z.number(), lines: z.array(z.string()) })),
});
export type Frame = z.infer<typeof Frame>;

const device = {
  engine: z.nullable(z.string()),
  browser: z.nullable(z.string()),
  os: z.nullable(z.string()),
  /** `standalone`, `browser`, … as reported by the device. */
  display: z.nullable(z.string()),
  connection: z.nullable(z.string()),
};
/** One entry in a list. */
export const LogEntry = z.object({
  id: z.string(),
  kind: LogKind,
  /** Message of an error, action of a debug entry. */
  message: z.string(),
  source: z.nullable(z.string()),
  issueId: z.nullable(z.string()),
  /** When it happened, corrected by how wrong the device's clock was. */
  happenedAt: z.string(),
  receivedAt: z.string(),
  /** How often in a row it happened; the device folds repeats. */
  repeats: z.number(),
  release: z.nullable(z.string()),
  route: z.nullable(z.string()),
  user: z.nullable(z.object({ id: z.string(), name: z.nullable(z.string()) })),
  device: z.nullable(z.string()),
  /** The device's own count; a jump is a gap. */
  sequence: z.nullable(z.number()),
  /** Happened while offline, for so long by then; null while online or unknown. */
  offlineMs: z.nullable(z.number()),
  /** From happening to receipt. */
  delayMs: z.number(),
  ...device,
});
export type LogEntry = z.infer<typeof LogEntry>;
export const EntryPage = z.object({
  asOf: z.string(),
  from: z.string(),
  to: z.string(),
  entries: z.array(LogEntry),
  next: z.nullable(z.string()),
});
export type EntryPage = z.infer<typeof EntryPage>;
export const EntriesQuery = z.object({ ...filters, ...page });
export type EntriesQuery = z.infer<typeof EntriesQuery>;

/** What a device noted shortly before and after. `at` is corrected; breadcrumbs are in order. */
export const Breadcrumb = z.object({
  at: z.string(),
  /** Milliseconds from the entry: negative before. */
  offsetMs: z.number(),
  kind: LogKind,
  message: z.string(),
  data: z.unknown(),
  entryId: z.nullable(z.string()),
});
export type Breadcrumb = z.infer<typeof Breadcrumb>;

export const EntryDetail = z.object({
  entry: LogEntry,
  userAgent: z.nullable(z.string()),
  /** Truncated: /24 of IPv4, /48 of IPv6. */
  address: z.nullable(z.string()),
  community: z.nullable(z.string()),
  url: z.nullable(z.string()),
  /** When the device sent it, by its own clock. */
  sentAt: z.nullable(z.string()),
  /** How far the device's clock was behind the server's; negative: ahead. */
  skewMs: z.nullable(z.number()),
  /** Null when there is no readable stack; `rawStack` still has the text. */
  stack: z.nullable(z.array(Frame)),
  rawStack: z.nullable(z.string()),
  breadcrumbs: z.array(Breadcrumb),
  /** Sequence numbers missing right before this entry, and what the device reported as dropped around it. */
  gap: z.object({ missingBefore: z.number(), dropped: z.number() }),
  /** The entry as stored. */
  data: z.unknown(),
  /** The whole as text for an issue tracker. */
  asText: z.string(),
});
export type EntryDetail = z.infer<typeof EntryDetail>;

const Share = z.object({ value: z.string(), count: z.number(), firstSeen: z.string(), lastSeen: z.string() });
export const IssueDetail = z.object({
  issue: Issue,
  /** The latest entry, or the one that `entry` of the query names. Null when retention took the last one. */
  sample: z.nullable(EntryDetail),
  /** Neighbours of the sample in this issue, for paging through. */
  newer: z.nullable(z.string()),
  older: z.nullable(z.string()),
  /** Largest first, at most 20 of each. */
  affected: z.object({
    release: z.array(Share),
    engine: z.array(Share),
    browser: z.array(Share),
    os: z.array(Share),
    display: z.array(Share),
    connection: z.array(Share),
    community: z.array(Share),
    route: z.array(Share),
  }),
  /** Share of occurrences that happened offline, 0 to 1. */
  offlineShare: z.number(),
  delay: z.object({ p50Ms: z.number(), p95Ms: z.number() }),
  /** What this issue is made of; `split` takes some of it out. */
  groups: z.array(
    z.object({
      id: z.string(),
      /** Version of the grouping rule. */
      version: z.number(),
      count: z.number(),
      lastSeen: z.string(),
      /** Why grouped: what of an entry decided. */
      why: z.object({ type: z.string(), message: z.string(), frames: z.array(z.string()) }),
    }),
  ),
  history: z.array(
    z.object({
      at: z.string(),
      what: z.enum([
        'first_seen',
        'resolved',
        'ignored',
        'reopened',
        'regressed',
        'condition_met',
        'merged',
        'split',
        'regrouped',
      ]),
      by: z.nullable(z.string()),
      detail: z.nullable(z.string()),
    }),
  ),
});
export type IssueDetail = z.infer<typeof IssueDetail>;

/** Bars in even steps over the range; steps without entries are there too. */
export const Histogram = z.object({
  from: z.string(),
  to: z.string(),
  stepMs: z.number(),
  bars: z.array(z.object({ at: z.string(), error: z.number(), debug: z.number() })),
});
export type Histogram = z.infer<typeof Histogram>;

/** Values to choose from, with occurrences in the range, largest first, at most 50 of each. */
const Choice = z.array(z.object({ value: z.string(), count: z.number() }));
export const LogChoices = z.object({
  release: Choice,
  engine: Choice,
  browser: Choice,
  os: Choice,
  display: Choice,
  connection: Choice,
  community: Choice,
  route: Choice,
  source: Choice,
});
export type LogChoices = z.infer<typeof LogChoices>;

/** Everything from this device, newest first, with gaps. */
export const Timeline = z.object({
  asOf: z.string(),
  person: z.nullable(z.object({ id: z.string(), name: z.string() })),
  items: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('entry'), at: z.string(), entry: LogEntry, data: z.unknown() }),
      /** Sequence numbers that never arrived. */
      z.object({ kind: z.literal('gap'), at: z.string(), missing: z.number() }),
      /** What the device reports as lost over its cap between its last delivery and this one. */
      z.object({ kind: z.literal('dropped'), at: z.string(), error: z.number(), debug: z.number() }),
    ]),
  ),
  next: z.nullable(z.string()),
});
export type Timeline = z.infer<typeof Timeline>;

/** Exactly one of `user` and `device`. */
export const TimelineQuery = z.object({ user: z.optional(Uuid), device: z.optional(Short), ...page });
export type TimelineQuery = z.infer<typeof TimelineQuery>;

/**
 * Live tail, `text/event-stream`: `event: entry` with a `LogEntry` as data and its id as event id, `event: behind` with
 * `{skipped}` when more arrives than can be shown, `event: ready` once it listens. A comment every 15 s keeps it open;
 * it ends after an hour and the browser reconnects.
 */
export const TailEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('ready') }),
  z.object({ event: z.literal('entry'), entry: LogEntry }),
  z.object({ event: z.literal('behind'), skipped: z.number() }),
]);
export type TailEvent = z.infer<typeof TailEvent>;

export const NewIssueState = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('open') }),
  /** `release`: the one that has the mend; `next` for the one after today's; the server's own when absent. */
  z.strictObject({ state: z.literal('resolved'), release: z.optional(Short) }),
  z.strictObject({ state: z.literal('ignored'), until: IgnoreUntil }),
]);
export type NewIssueState = z.infer<typeof NewIssueState>;
/** These issues end; all of theirs is this one's from now on. */
export const IssueMerge = z.strictObject({
  issueIds: z.array(Uuid).check(z.minLength(1), z.maxLength(LOG_MERGE_MAX)),
});
export type IssueMerge = z.infer<typeof IssueMerge>;
/** These groups (`IssueDetail.groups`) become a separate issue; at least one must stay. */
export const IssueSplit = z.strictObject({
  groupIds: z.array(Short).check(z.minLength(1), z.maxLength(LOG_MERGE_MAX)),
});
export type IssueSplit = z.infer<typeof IssueSplit>;

/** Groups of an older rule are never touched silently: look first (`apply` false), then apply. */
export const RegroupRequest = z.strictObject({ apply: z.boolean() });
export const RegroupReport = z.object({
  applied: z.boolean(),
  version: z.number(),
  /** Groups of older rules, and how many entries of theirs were looked at. */
  groups: z.number(),
  entries: z.number(),
  /** What would change, or did: several issues becoming one, or one several. */
  joins: z.array(z.object({ titles: z.array(z.string()), issueIds: z.array(z.string()) })),
  parts: z.array(z.object({ issueId: z.string(), title: z.string(), into: z.number() })),
  unchanged: z.number(),
});
export type RegroupReport = z.infer<typeof RegroupReport>;

/** When to alert. Late entries (older release, or from before the resolution) never count. */
export const AlertCondition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('new_issue') }),
  z.strictObject({ kind: z.literal('regression') }),
  /** At least `minimum` errors in `minutes`, and `times` as many as in the same stretch on average of the week before. */
  z.strictObject({
    kind: z.literal('rate'),
    minutes: z.int().check(z.gte(5), z.lte(1_440)),
    times: z.number().check(z.gte(1), z.lte(1_000)),
    minimum: z.int().check(z.gte(1), z.lte(1_000_000)),
  }),
  /** Half of the last hour's entries took longer than this from happening to receipt. */
  z.strictObject({ kind: z.literal('replay_delay'), minutes: z.int().check(z.gte(1), z.lte(10_080)) }),
  /** Devices lost, or the server refused for its daily cap, so many entries in the last hour. */
  z.strictObject({ kind: z.literal('drops'), minimum: z.int().check(z.gte(1), z.lte(1_000_000)) }),
  /** Every Monday: what was new, what was loud, what came back. */
  z.strictObject({ kind: z.literal('weekly_digest') }),
  /** A check of the instance needs attention, or is well again. */
  z.strictObject({ kind: z.literal('check') }),
]);
export type AlertCondition = z.infer<typeof AlertCondition>;
export const AlertChannel = z.discriminatedUnion('kind', [
  /** The instance's bot must be in the chat. */
  z.strictObject({
    kind: z.literal('telegram'),
    chatId: z.string().check(z.regex(/^(-?\d{1,18}|@\w{4,32})$/, 'must be a chat id or @name')),
  }),
  /** POST with JSON `{rule, kind, title, text, url}`; https only, public addresses only. */
  z.strictObject({
    kind: z.literal('webhook'),
    url: z.string().check(z.regex(/^https:\/\/\S+$/, 'must be an https URL'), z.maxLength(WEBHOOK_URL_MAX)),
  }),
]);
export type AlertChannel = z.infer<typeof AlertChannel>;
const Clock = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time as in 22:30'));
export const NewAlertRule = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(ALERT_NAME_MAX)),
  enabled: z.boolean(),
  when: AlertCondition,
  to: AlertChannel,
  /** Alerts in this period are held and sent as one message at its end. Null: no quiet period. */
  quiet: z.nullable(
    z.strictObject({ from: Clock, to: Clock, timeZone: z.string().check(z.minLength(1), z.maxLength(64)) }),
  ),
  /** The shortest time before the same alert is repeated. */
  cooldownMinutes: z.int().check(z.gte(1), z.lte(RULE_COOLDOWN_MAX_MINUTES)),
});
export type NewAlertRule = z.infer<typeof NewAlertRule>;
export const AlertRule = z.object({
  id: z.string(),
  name: z.string(),
  enabled: z.boolean(),
  when: AlertCondition,
  /** For a webhook only scheme, host and path are shown again; its query may be a secret. */
  to: AlertChannel,
  quiet: z.nullable(z.object({ from: z.string(), to: z.string(), timeZone: z.string() })),
  cooldownMinutes: z.number(),
  createdAt: z.string(),
  lastAlertAt: z.nullable(z.string()),
  /** Since when its channel takes nothing, and what it answered last. */
  failing: z.nullable(z.object({ since: z.string(), error: z.string() })),
});
export type AlertRule = z.infer<typeof AlertRule>;
export const AlertTest = z.object({ sent: z.boolean(), error: z.nullable(z.string()) });
export type AlertTest = z.infer<typeof AlertTest>;
/** Recent alerts, newest first. `held`: in a quiet period. */
export const Alert = z.object({
  id: z.string(),
  ruleId: z.string(),
  rule: z.string(),
  at: z.string(),
  title: z.string(),
  issueId: z.nullable(z.string()),
  state: z.enum(['waiting', 'held', 'sent', 'failed']),
  tries: z.number(),
  error: z.nullable(z.string()),
});
export type Alert = z.infer<typeof Alert>;

const DayShare = z.object({ day: z.string(), value: z.string(), devices: z.number() });
/** What the phones are really like. A device counts once a day. */
export const Fleet = z.object({
  asOf: z.string(),
  days: z.number(),
  devices: z.number(),
  /** Days of devices with at least one entry from offline, 0 to 1. */
  offlineShare: z.number(),
  replayDelay: z.object({ p50Ms: z.number(), p95Ms: z.number() }),
  /** Devices on each build, day by day. */
  adoption: z.array(DayShare),
  engine: Choice,
  browser: Choice,
  os: Choice,
  display: Choice,
  /** `granted`, `denied`, `default`, as far as devices reported it. */
  push: Choice,
  /** `durable`, or why the store was in memory only (`refused`, `full`, `lost`). */
  storage: Choice,
  /** Entries lost over the devices' cap, and refused for the server's daily cap. */
  dropped: z.object({ onDevices: z.number(), overDailyCap: z.number() }),
  /** Stored entries, their oldest day, and today's use of the caps. */
  kept: z.object({
    entries: z.number(),
    oldestDay: z.nullable(z.string()),
    today: z.number(),
    dailyCap: z.number(),
    groups: z.number(),
    groupCap: z.number(),
    /** Received but not yet ingested into issues. */
    waiting: z.number(),
  }),
});
export type Fleet = z.infer<typeof Fleet>;

export const IssueQuery = z.object({ entry: z.optional(Uuid), from: z.optional(Time), to: z.optional(Time) });
export const HistogramQuery = z.object({ ...filters, bars: z.optional(Digits) });
export type HistogramQuery = z.infer<typeof HistogramQuery>;
export const ChoicesQuery = z.object({ from: z.optional(Time), to: z.optional(Time) });
export const FleetQuery = z.object({ days: z.optional(Digits) });
export const ExportQuery = z.object({ ...filters, format: z.enum(['ndjson', 'csv']) });
