import type { ISql, Sql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import {
  PARTNERSHIP_RETENTION_DAYS,
  PARTNERSHIPS_A_DAY,
  PARTNERSHIPS_SHOWN,
  PARTNERSHIPS_WAITING_MAX,
} from '../../contract/desk-limits.ts';
import { referenceOf } from '../../contract/partnership-reference.ts';
import type { NewPartnership, PartnershipStatus } from '../../contract/partnerships.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { line, prose } from '../../domain/text.ts';

const DAY_MS = 86_400_000;

export type StatusRow = Omit<PartnershipStatus, 'reference' | 'sentAt' | 'changedAt'> & {
  sentAt: Date;
  changedAt: Date;
};

export const statusColumns = (sql: ISql) => sql`
  r.id, r.kind, r.state, r.answer, r.created_at as "sentAt", r.changed_at as "changedAt"`;

export const statusOf = ({ id, kind, state, answer, sentAt, changedAt }: StatusRow): PartnershipStatus => ({
  id,
  reference: referenceOf(id),
  kind,
  state,
  answer,
  sentAt: sentAt.toISOString(),
  changedAt: changedAt.toISOString(),
});

/** The sender: an account, or a visitor by network address, which is never stored. */
export type Sender = { userId: string | null; address: string };

/** Strangers' requests of the present day of UTC by address. */
export type StrangersToday = { of(address: string, now: Date): number; count(address: string, now: Date): void };

/** In memory only. Only stored requests count, so there are never more addresses than the visitors' limit. */
export function strangersToday(): StrangersToday {
  let today = 0;
  const counts = new Map<string, number>();
  const of = (address: string, now: Date): number => {
    const day = Math.floor(now.getTime() / DAY_MS);
    if (day !== today) counts.clear();
    today = day;
    return counts.get(address) ?? 0;
  };
  return { of, count: (address, now) => void counts.set(address, of(address, now) + 1) };
}

type Whose = ErrorDetails['PARTNERSHIP_LIMIT']['whose'];
const TOO_MANY: Record<Whose, string> = {
  network: 'Several requests came from your network today already. Send this one tomorrow.',
  account: 'You sent several requests within a day. Send this one tomorrow.',
  strangers: 'More requests came than can be answered. Sign in first, or send this one tomorrow.',
};
const tooMany = (whose: Whose, retryAfterSeconds: number): HttpError =>
  new HttpError(429, 'PARTNERSHIP_LIMIT', TOO_MANY[whose], { details: { whose }, retryAfterSeconds });

/**
 * Stores a request under its device's id; repeats are the same request. Throws 409 `REQUEST_ID_TAKEN` where the id
 * names another request, and 429 `PARTNERSHIP_LIMIT`: five a day per address, three per account, a hundred of all
 * visitors together (400 for an address that has sent none), or too many waiting ones.
 */
export async function submitRequest(
  sql: Sql,
  { id, sender, strangers, now }: { id: string; sender: Sender; strangers: StrangersToday; now: Date },
  input: NewPartnership,
): Promise<PartnershipStatus & { isNew: boolean }> {
  const { kind } = input;
  const [name, organisation, contact] = [
    line('name', input.name),
    line('organisation', input.organisation),
    line('contact', input.contact),
  ];
  const message = prose('message', input.message);
  return sql.begin(async (tx) => {
    // Serialized: two at once cannot both be the last within the limit.
    await tx`select pg_advisory_xact_lock(hashtextextended('partnership requests', 16))`;
    const [existing] = await tx<(StatusRow & { isSame: boolean })[]>`
      select ${statusColumns(tx)}, (r.name, r.organisation, r.contact, r.kind, r.message)
          = (${name}, ${organisation}, ${contact}, ${kind}, ${message}) as "isSame"
      from partnership_requests r where r.id = ${id}`;
    if (existing && !existing.isSame)
      throw new HttpError(409, 'REQUEST_ID_TAKEN', 'Another request has this id. Begin a new one.');
    if (existing) return { ...statusOf(existing), isNew: false };
    await requireBelowLimits(tx, { sender, strangers, now });
    const [row] = await tx<StatusRow[]>`
      insert into partnership_requests as r
        (id, user_id, name, organisation, contact, kind, message, created_at, changed_at)
      values (${id}, ${sender.userId}, ${name}, ${organisation}, ${contact}, ${kind}, ${message}, ${now}, ${now})
      returning ${statusColumns(tx)}`;
    if (!row) throw new Error('the request was not stored');
    if (sender.userId === null) strangers.count(sender.address, now);
    return { ...statusOf(row), isNew: true };
  });
}

type RequestScope = { sender: Sender; strangers: StrangersToday; now: Date };

async function requireBelowLimits(tx: TransactionSql, { sender, strangers, now }: RequestScope): Promise<void> {
  const { userId, address } = sender;
  const restOfDay = Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / 1_000);
  const before = strangers.of(address, now);
  if (userId === null && before >= PARTNERSHIPS_A_DAY.address) throw tooMany('network', restOfDay);
  const since = new Date(now.getTime() - DAY_MS);
  const [{ lately, waiting }] = await tx<[{ lately: number; waiting: number }]>`
    select count(*) filter (where created_at > ${since})::int as lately,
      count(*) filter (where state = 'new')::int as waiting
    from partnership_requests where user_id is not distinct from ${userId}`;
  if (userId !== null && lately >= PARTNERSHIPS_A_DAY.account) throw tooMany('account', restOfDay);
  if (userId !== null) return;
  const most = before === 0 ? PARTNERSHIPS_A_DAY.firsts : PARTNERSHIPS_A_DAY.strangers;
  if (lately >= most || waiting >= PARTNERSHIPS_WAITING_MAX) throw tooMany('strangers', restOfDay);
}

/** A request's state, for the holder of its id. Throws 404 `NOT_FOUND`. */
export async function readStatus(sql: ISql, id: string): Promise<PartnershipStatus> {
  const [row] = await sql<StatusRow[]>`select ${statusColumns(sql)} from partnership_requests r where r.id = ${id}`;
  if (!row) throw notFound('request');
  return statusOf(row);
}

/** A person's own requests, the latest first. */
export async function listOwn(sql: ISql, userId: string): Promise<PartnershipStatus[]> {
  const rows = await sql<StatusRow[]>`
    select ${statusColumns(sql)} from partnership_requests r where r.user_id = ${userId}
    order by r.created_at desc, r.id limit ${PARTNERSHIPS_SHOWN}`;
  return rows.map(statusOf);
}

/** Deletes undecided requests after their retention. */
export async function forgetRequests(sql: Sql, now: Date): Promise<void> {
  await sql`
    delete from partnership_requests
    where changed_at < ${new Date(now.getTime() - PARTNERSHIP_RETENTION_DAYS * DAY_MS)}`;
}
