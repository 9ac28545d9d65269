import type { ISql, TransactionSql } from 'postgres';
import type { Actor } from '../../base/actor.ts';
import { HttpError, notFound } from '../../base/http-error.ts';
import { APPLICATIONS_PAGE } from '../../contract/limits.ts';
import type { Application, LeaderApplication } from '../../contract/members.ts';
import type { ErrorDetails } from '../../contract/refusals.ts';
import { isId } from '../../domain/ids.ts';
import { cursorOf, pageOf, readCursor } from '../../domain/page.ts';
import { prose } from '../../domain/text.ts';
import { webAddress } from '../../domain/web-address.ts';
import { audit } from '../audit/audit.ts';

type Applicant = Pick<Actor, 'userId' | 'telegramUsername' | 'twitterUsername' | 'isVerified' | 'membership'> & {
  /** Whether this instance requires a channel. */
  channelRequired: boolean;
};
type Row = Omit<Application, 'submittedAt' | 'decidedAt'> & { submittedAt: Date; decidedAt: Date | null };

const columns = (sql: ISql) => sql`
  a.id, a.state, a.about, a.plan, a.link, a.submitted_at as "submittedAt", a.decided_at as "decidedAt", a.reason`;

const applicationOf = ({ id, state, about, plan, link, reason, ...row }: Row): Application => ({
  id,
  state,
  about,
  plan,
  link,
  submittedAt: row.submittedAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  reason,
});

const eligibilityOf = (person: Applicant): LeaderApplication['eligibility'] => [
  { what: 'telegram_username', met: person.telegramUsername !== null },
  { what: 'x_linked', met: person.twitterUsername !== null },
  { what: 'verified', met: person.isVerified },
  {
    what: 'in_channel',
    met: !person.channelRequired || person.membership === 'member' || person.membership === 'restricted',
  },
];

/** Whether a person may lead: they meet the whole checklist, or an application was approved. */
export async function readApplication(sql: ISql, person: Applicant): Promise<LeaderApplication> {
  const [row] = await sql<Row[]>`
    select ${columns(sql)} from leader_applications a where a.user_id = ${person.userId}
    order by a.submitted_at desc, a.id limit 1`;
  const eligibility = eligibilityOf(person);
  return {
    eligibility,
    mayLead: eligibility.every(({ met }) => met) || (row?.state === 'approved' && person.isVerified),
    application: row ? applicationOf(row) : null,
  };
}

/**
 * Applies to lead. Throws 409 `MAY_LEAD` for who needs no application, 409 `ALREADY_APPLIED` while one waits,
 * 422 `URL_NOT_ALLOWED` for a link that is no web address.
 */
export async function apply(
  tx: TransactionSql,
  person: Applicant,
  input: { about: string; plan: string; link?: string | undefined },
  now: Date,
): Promise<LeaderApplication> {
  const [about, plan] = [prose('about', input.about), prose('plan', input.plan)];
  const link = input.link === undefined ? null : (webAddress(input.link)?.href ?? null);
  if (input.link !== undefined && link === null) {
    throw new HttpError(422, 'URL_NOT_ALLOWED', 'The link must be a web address.', {
      details: { field: 'link', needs: 'web' } satisfies ErrorDetails['URL_NOT_ALLOWED'],
    });
  }
  if ((await readApplication(tx, person)).mayLead) {
    throw new HttpError(409, 'MAY_LEAD', 'You may start a community at once: no application is needed.');
  }
  const [made] = await tx`
    insert into leader_applications (user_id, about, plan, link, submitted_at)
    values (${person.userId}, ${about}, ${plan}, ${link}, ${now})
    on conflict (user_id) where state = 'submitted' do nothing returning id`;
  if (!made) throw new HttpError(409, 'ALREADY_APPLIED', 'Your application waits already.');
  return readApplication(tx, person);
}

type Listed = Application & { userId: string; displayName: string };
type ListedRow = Row & { userId: string; displayName: string };

/**
 * One page of applications: waiting ones first, the longest at the top, then decided ones. Throws 400 `INVALID_INPUT`
 * for an invalid `after`.
 */
export async function listApplications(
  sql: ISql,
  after: string | undefined,
): Promise<{ items: Listed[]; next: string | null }> {
  const position = readCursor(after?.slice(1));
  if (after !== undefined && !/^[wd]/.test(after)) throw new HttpError(400, 'INVALID_INPUT', 'after: names no place');
  const isDecided = sql`a.state <> 'submitted'`;
  const beyond = position
    ? sql`(${isDecided}, a.submitted_at, a.id) > (${after?.startsWith('d') ?? false}, ${position.at}, ${position.id}::uuid)`
    : sql`true`;
  const rows = await sql<ListedRow[]>`
    select ${columns(sql)}, u.id as "userId", u.display_name as "displayName"
    from leader_applications a join users u on u.id = a.user_id
    where ${beyond} order by ${isDecided}, a.submitted_at, a.id limit ${APPLICATIONS_PAGE + 1}`;
  return pageOf(rows, APPLICATIONS_PAGE, {
    item: (row) => ({ ...applicationOf(row), userId: row.userId, displayName: row.displayName }),
    cursor: (row) => (row.state === 'submitted' ? 'w' : 'd') + cursorOf({ at: row.submittedAt, id: row.id }),
  });
}

/**
 * Decides an application; an approval verifies the account by hand.
 * Throws 404 `NOT_FOUND`, 409 `ALREADY_DECIDED` (details: `{ application }`).
 */
export async function decideApplication(
  tx: TransactionSql,
  scope: { applicationId: string; adminId: string; now: Date },
  input: { decision: 'approve' | 'reject'; reason: string },
): Promise<Application> {
  const { applicationId, adminId, now } = scope;
  const reason = prose('reason', input.reason);
  const [found] = isId(applicationId)
    ? await tx<(Row & { userId: string; displayName: string })[]>`
        select ${columns(tx)}, u.id as "userId", u.display_name as "displayName"
        from leader_applications a join users u on u.id = a.user_id
        where a.id = ${applicationId} for update of a`
    : [];
  if (!found) throw notFound('application');
  if (found.state !== 'submitted') {
    throw new HttpError(409, 'ALREADY_DECIDED', `This application is already ${found.state}.`, {
      details: { application: applicationOf(found) } satisfies ErrorDetails['ALREADY_DECIDED'],
    });
  }
  const state = input.decision === 'approve' ? 'approved' : 'rejected';
  const [row] = await tx<Row[]>`
    update leader_applications a set state = ${state}, decided_at = ${now}, decided_by = ${adminId}, reason = ${reason}
    where a.id = ${applicationId} returning ${columns(tx)}`;
  if (!row) throw new Error('the application went away while it was held');
  if (state === 'approved') await tx`update users set is_verified = true where id = ${found.userId}`;
  await audit(tx, {
    communityId: null,
    actorId: adminId,
    action: `application.${state}`,
    subject: found.displayName,
    subjectId: found.userId,
    reason,
    at: now,
  });
  return applicationOf(row);
}
