import type { Sql } from 'postgres';
import type { Breadcrumb, EntryDetail, Frame } from '../../contract/ops-logs.ts';
import { asText } from './as-text.ts';
import { type EntryRow, entryColumns, entryJoins, entryOf } from './entries.ts';
import { stackOf } from './group.ts';
import type { Resolve } from './maps.ts';

const AROUND_BEFORE_MS = 10 * 60_000;
const AROUND_AFTER_MS = 5_000;
const CRUMBS_MAX = 60;
const SAME_WITHIN_MS = 1_000;
const HOUR_MS = 3_600_000;

type DetailRow = EntryRow & {
  userAgent: string | null;
  address: string | null;
  url: string | null;
  sentAt: Date | null;
  data: Record<string, unknown>;
};

/** Everything about one entry, or null when it does not exist (any more). */
export async function readEntry(
  sql: Sql,
  ports: { resolve: Resolve; origin: string },
  entryId: string,
): Promise<EntryDetail | null> {
  const [row] = await sql<DetailRow[]>`
    select ${entryColumns(sql)}, e.user_agent as "userAgent", e.address, e.url, e.sent_at as "sentAt", e.data
    from client_log_entries e ${entryJoins(sql)}
    where e.id = ${entryId} and e.received_at = (select received_at from client_log_ids where id = ${entryId})`;
  if (!row) return null;
  const [breadcrumbs, gap] = await Promise.all([crumbsOf(sql, row), gapOf(sql, row)]);
  const rawStack = typeof row.data['stack'] === 'string' ? row.data['stack'] : null;
  const frames = stackOf(rawStack, row.release, ports.resolve).map(({ isAsync: _, ...frame }): Frame => frame);
  const detail: Omit<EntryDetail, 'asText'> = {
    entry: entryOf(row),
    userAgent: row.userAgent,
    address: row.address,
    community: row.community,
    url: row.url,
    sentAt: row.sentAt?.toISOString() ?? null,
    skewMs: row.sentAt === null ? null : row.receivedAt.getTime() - row.sentAt.getTime(),
    stack: frames.length === 0 ? null : frames,
    rawStack,
    breadcrumbs,
    gap,
    data: row.data,
  };
  return { ...detail, asText: asText(detail, ports.origin) };
}

/** Entries of the device that `row` came from; null where it names neither a device nor a person. */
function sameDevice(sql: Sql, { device, userId, userAgent }: DetailRow) {
  if (device !== null) return sql`e.device = ${device}`;
  if (userId === null) return null;
  return sql`e.device is null and e.user_id = ${userId} and e.user_agent is not distinct from ${userAgent}`;
}

/**
 * Entries of the same session: of no other person and no other page. A worker's entries belong to all pages of its
 * device, and so do an older build's without a page.
 */
function sameSession(sql: Sql, { userId, data }: DetailRow) {
  const { context } = data as { context?: { visit?: unknown } | null };
  const visit = typeof context?.visit === 'string' ? JSON.stringify(context.visit) : null;
  // As JSON text: strangers' values may contain characters that PostgreSQL cannot read.
  const itsVisit = sql`(e.data -> 'context' -> 'visit')::text`;
  return sql`
    ${userId === null ? sql`true` : sql`coalesce(e.user_id = ${userId}, true)`}
    and ${visit === null ? sql`true` : sql`coalesce(${itsVisit} = ${visit}, true)`}`;
}

/** The entry's own breadcrumbs and its device's other entries of the session, in order, without duplicates. */
async function crumbsOf(sql: Sql, row: DetailRow): Promise<Breadcrumb[]> {
  const carried = carriedCrumbs(row);
  const whose = sameDevice(sql, row);
  const from = new Date(row.happenedAt.getTime() - AROUND_BEFORE_MS);
  const near = whose
    ? await sql<{ id: string; kind: 'error' | 'debug'; message: string; at: Date; data: Record<string, unknown> }[]>`
        select e.id, e.kind, e.message, e.happened_at as at, e.data from client_log_entries e
        where ${whose} and ${sameSession(sql, row)} and e.happened_at >= ${from} and e.received_at >= ${from}
          and e.happened_at <= ${new Date(row.happenedAt.getTime() + AROUND_AFTER_MS)} and e.id <> ${row.id}
        order by e.happened_at desc, e.id desc limit ${CRUMBS_MAX}`
    : [];
  const entries = near.map(
    ({ id, kind, message, at, data }): Breadcrumb => ({
      at: at.toISOString(),
      offsetMs: at.getTime() - row.happenedAt.getTime(),
      kind,
      message,
      data: kind === 'debug' ? (data['data'] ?? null) : null,
      entryId: id,
    }),
  );
  // The device also sends some breadcrumbs as entries; those can be opened, so they replace the breadcrumb.
  const isListed = ({ offsetMs, message }: Breadcrumb) =>
    entries.some((one) => one.message === message && Math.abs(one.offsetMs - offsetMs) < SAME_WITHIN_MS);
  return [...entries, ...carried.filter((crumb) => !isListed(crumb))]
    .sort((a, b) => a.offsetMs - b.offsetMs)
    .slice(-CRUMBS_MAX);
}

function carriedCrumbs(row: DetailRow): Breadcrumb[] {
  const crumbs = row.data['breadcrumbs'];
  if (!Array.isArray(crumbs)) return [];
  const own = Date.parse(String(row.data['timestamp'] ?? ''));
  // Written by the same clock, so wrong by as much.
  const shift = Number.isNaN(own) ? 0 : row.happenedAt.getTime() - own;
  return crumbs.flatMap((crumb: unknown): Breadcrumb[] => {
    if (typeof crumb !== 'object' || crumb === null) return [];
    const fields = crumb as Record<string, unknown>;
    const stamp = fields['at'] ?? fields['timestamp'] ?? fields['time'];
    const time = typeof stamp === 'number' ? stamp : Date.parse(String(stamp ?? ''));
    const at = new Date(Number.isNaN(time) ? row.happenedAt.getTime() : time + shift);
    if (Number.isNaN(at.getTime()) || Math.abs(at.getTime()) > 253_402_300_799_000) return [];
    const words = [fields['message'], fields['action'], fields['what'], fields['kind']].find(
      (word) => typeof word === 'string',
    );
    return [
      {
        at: at.toISOString(),
        offsetMs: at.getTime() - row.happenedAt.getTime(),
        kind: fields['kind'] === 'error' || fields['type'] === 'error' ? 'error' : 'debug',
        message: String(words ?? '…').slice(0, 1_000),
        data: fields['data'] ?? null,
        entryId: null,
      },
    ];
  });
}

/** Gaps in the device's sequence right before the entry, and the losses that the device reported around it. */
async function gapOf(sql: Sql, row: DetailRow): Promise<EntryDetail['gap']> {
  const whose = sameDevice(sql, row);
  if (!whose) return { missingBefore: 0, dropped: 0 };
  const [before] =
    row.sequence === null
      ? []
      : await sql<{ sequence: number }[]>`
          select e.sequence::float8 as sequence from client_log_entries e
          where ${whose} and e.sequence < ${row.sequence} and e.happened_at <= ${new Date(row.happenedAt.getTime() + HOUR_MS)}
          order by e.happened_at desc, e.id desc limit 1`;
  const whoseDrops =
    row.userId !== null ? sql`user_id = ${row.userId}` : sql`user_id is null and device = ${row.device}`;
  const [drops] = await sql<[{ count: number }]>`
    select coalesce(sum(errors + debugs), 0)::float8 as count from client_log_drops
    where ${whoseDrops} and received_at between ${new Date(row.happenedAt.getTime() - HOUR_MS)}
      and ${new Date(row.receivedAt.getTime() + 60_000)}`;
  return {
    missingBefore: before && row.sequence !== null ? Math.max(0, row.sequence - before.sequence - 1) : 0,
    dropped: drops.count,
  };
}
