import * as z from 'zod/mini';
import { LOG_BATCH_MAX } from './limits.ts';

export const LogKind = z.enum(['error', 'debug']);
export type LogKind = z.infer<typeof LogKind>;

/** The device's clock, where it has one: ISO 8601, or milliseconds since 1970 as other clients may write it. */
const Timestamp = z.catch(z.optional(z.nullable(z.union([z.string(), z.number()]))), null);

const UNREADABLE = '[unreadable]';

/** Text for other values that older devices or other senders send: a list becomes its lines. */
function asText(value: unknown): unknown {
  if (typeof value === 'string' || value === undefined || value === null) return value;
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n');
  const { message } = value as { message?: unknown };
  if (typeof message === 'string') return message;
  try {
    return JSON.stringify(value);
  } catch {
    // It nests deeper than can be written.
    return UNREADABLE;
  }
}
const Text = z.pipe(z.transform(asText), z.string());
const Maybe = z.optional(z.pipe(z.transform(asText), z.optional(z.nullable(z.string()))));

/** Specification, section 3: client log entry, error kind. What is no text there is made one. */
export const ErrorEntry = z.looseObject({
  message: Text,
  stack: Maybe,
  source: Maybe,
  timestamp: Timestamp,
  url: Maybe,
  userAgent: Maybe,
  additionalData: z.optional(z.unknown()),
});
/** Specification, section 3: client log entry, debug kind. */
export const DebugEntry = z.looseObject({
  action: Text,
  data: z.optional(z.unknown()),
  timestamp: Timestamp,
  source: Maybe,
});
export const ClientLog = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('error'), data: ErrorEntry }),
  z.strictObject({ type: z.literal('debug'), data: DebugEntry }),
]);
export type ClientLog = z.infer<typeof ClientLog>;

const Lost = z.int().check(z.gte(0));
/** Our devices make UUIDs; any other short name is as good. */
const EntryId = z.string().check(z.minLength(1), z.maxLength(128));

/** Entries are checked one by one, so a malformed one does not block the others. */
export const ClientLogBatch = z.strictObject({
  sentAt: z.string(),
  /** Entries lost over the cap since the last delivery: per kind, or in total. */
  dropped: z.optional(z.union([Lost, z.partialRecord(LogKind, Lost)])),
  entries: z
    .array(z.strictObject({ id: EntryId, type: z.unknown(), data: z.unknown() }))
    .check(z.maxLength(LOG_BATCH_MAX)),
});
export type ClientLogBatch = z.infer<typeof ClientLogBatch>;
export const ClientLogResults = z.object({
  results: z.array(
    z.object({ id: z.string(), status: z.enum(['stored', 'duplicate', 'rejected']), reason: z.optional(z.string()) }),
  ),
});
export type ClientLogResults = z.infer<typeof ClientLogResults>;
