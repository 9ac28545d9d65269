import type { ISql, TransactionSql } from 'postgres';
import { HttpError, notFound } from '../../base/http-error.ts';
import { PARTNERSHIPS_PAGE } from '../../contract/desk-limits.ts';
import { referenceOf } from '../../contract/partnership-reference.ts';
import type { Partnership, PartnershipState } from '../../contract/partnerships.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { prose } from '../../domain/text.ts';
import { audit } from '../audit/audit.ts';
import { type StatusRow, statusColumns, statusOf } from './requests.ts';

type Row = StatusRow & Omit<Partnership, keyof StatusRow | 'reference'>;

/** What was decided is in the audit alone: its entries name the request by its id. */
const columns = (sql: ISql) => sql`
  ${statusColumns(sql)}, r.name, r.organisation, r.contact, r.message,
  (select jsonb_build_object('userId', u.id, 'displayName', u.display_name) from users u where u.id = r.user_id) as "from",
  (select coalesce(jsonb_agg(jsonb_build_object('at', to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'action', e.action, 'by', by.display_name, 'note', e.reason) order by e.id desc), '[]')
    from audit_entries e left join users by on by.id = e.actor_id where e.subject_id = r.id) as history`;

const partnershipOf = ({ name, organisation, contact, message, from, history, ...row }: Row): Partnership => ({
  ...statusOf(row),
  name,
  organisation,
  contact,
  message,
  from,
  history,
});

type PartnershipsQuery = {
  after?: string | undefined;
  search?: string | undefined;
  state?: PartnershipState | undefined;
};

/** Condition on `r`: matches part of its reference, or of the name and contact that its sender gave. */
function matching(sql: ISql, search: string) {
  const words = search.trim().toLowerCase();
  if (words === '') return sql`true`;
  const digits = words.replace(/^p-/, '').replaceAll('-', '');
  const byReference = /^[0-9a-f]{4,8}$/.test(digits)
    ? sql`starts_with(replace(r.id::text, '-', ''), ${digits})`
    : sql`false`;
  return sql`(${byReference} or strpos(lower(concat_ws(' ', r.name, r.organisation, r.contact)), ${words}) > 0)`;
}

/**
 * One page: waiting requests first, the longest at the top, then decided ones; and the number of unread ones. Throws
 * 400 `INVALID_INPUT` for an invalid `after`.
 */
export async function listRequests(
  sql: ISql,
  { after, search = '', state }: PartnershipsQuery,
): Promise<{ items: Partnership[]; next: string | null; waiting: number }> {
  const position = readCursor(after?.slice(1));
  if (after !== undefined && !/^[wd]/.test(after)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place');
  const isDecided = sql`r.state in ('accepted', 'declined')`;
  // Pages carry milliseconds, so rows are ordered by them.
  const at = sql`date_trunc('milliseconds', r.created_at)`;
  const beyond = position
    ? sql`(${isDecided}, ${at}, r.id) > (${after?.startsWith('d') ?? false}, ${position.at}, ${position.id}::uuid)`
    : sql`true`;
  const rows = await sql<Row[]>`
    select ${columns(sql)} from partnership_requests r
    where ${matching(sql, search)} and ${state === undefined ? sql`true` : sql`r.state = ${state}`} and ${beyond}
    order by ${isDecided}, ${at}, r.id limit ${PARTNERSHIPS_PAGE + 1}`;
  const [total] = await sql<{ count: number }[]>`
    select count(*)::int from partnership_requests where state = 'new'`;
  const page = pageOf(rows, PARTNERSHIPS_PAGE, {
    item: partnershipOf,
    cursor: (row) =>
      (row.state === 'accepted' || row.state === 'declined' ? 'd' : 'w') + cursorOf({ at: row.sentAt, id: row.id }),
  });
  return { ...page, waiting: total?.count ?? 0 };
}

type Decision = {
  from: PartnershipState;
  to: Exclude<PartnershipState, 'new'>;
  reason: string;
  answer?: string | undefined;
};

/**
 * Sets a request's state. The note is internal, the answer is for the sender; without one, the previous answer stays.
 * Throws 404 `NOT_FOUND`, 409 `ALREADY_DECIDED` where its state differs from what the administrator saw (details: `{
 * state }`), and 409 `SAME_STATE`.
 */
export async function decide(
  tx: TransactionSql,
  scope: { requestId: string; adminId: string; now: Date },
  input: Decision,
): Promise<Partnership> {
  const { requestId, adminId, now } = scope;
  const reason = prose('reason', input.reason);
  const answer = input.answer ? prose('answer', input.answer) : null;
  const [held] = await tx<{ state: PartnershipState }[]>`
    select state from partnership_requests where id = ${requestId} for update`;
  if (!held) throw notFound('request');
  if (held.state !== input.from)
    throw new HttpError(409, 'ALREADY_DECIDED', 'Someone has already decided this request. Look at it again.', {
      details: { state: held.state } satisfies ErrorDetails['ALREADY_DECIDED'],
    });
  if (held.state === input.to && answer === null)
    throw new HttpError(409, 'SAME_STATE', 'The request is already in that state.');
  await tx`
    update partnership_requests set state = ${input.to}, answer = coalesce(${answer}, answer), changed_at = ${now}
    where id = ${requestId}`;
  await audit(tx, {
    communityId: null,
    actorId: adminId,
    action: `partnership.${input.to}`,
    // Without the sender's name: the request is deleted in time, and the audit stays.
    subject: referenceOf(requestId),
    subjectId: requestId,
    reason,
    at: now,
  });
  const [row] = await tx<Row[]>`select ${columns(tx)} from partnership_requests r where r.id = ${requestId}`;
  if (!row) throw new Error('the request went away while it was held');
  return partnershipOf(row);
}
