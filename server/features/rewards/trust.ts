import type { ISql } from 'postgres';
import type { MemberDetail, TrustSignal } from '../../contract/members.ts';

type Trust = MemberDetail['trust'];
type Facts = {
  userId: string;
  accountDays: number;
  memberDays: number;
  xLinked: boolean;
  approved: number;
  rejected: number;
  reversed: number;
  /** Most claims that were sent within ten minutes. */
  burst: number;
  /** Claims whose answer somebody else had sent before: who was first has copied from nobody. */
  alike: number;
  /** People whom the same member invited within an hour around them. */
  invitedBeside: number;
};

/** What everybody starts with; signals move it up or down. */
const START = 50;
const FULL_AGE_DAYS = 30;
const FEW_DECIDED = 3;
const BURST_FROM = 15;
const INVITED_BESIDE_FROM = 5;

/** How far one member's account and conduct speak for trust. Advisory: it gates rewards, never access. */
export async function readTrust(sql: ISql, communityId: string, userId: string, now: Date): Promise<Trust> {
  const trust = (await readTrusts(sql, communityId, [userId], now)).get(userId);
  return trust ?? { score: 0, signals: [] };
}

/** The same for many members at once, by their id. */
export async function readTrusts(
  sql: ISql,
  communityId: string,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, Trust>> {
  const rows = await sql<Facts[]>`
    select u.id as "userId",
      (extract(epoch from ${now}::timestamptz - u.created_at) / 86400)::float8 as "accountDays",
      coalesce(extract(epoch from ${now}::timestamptz - m.joined_at) / 86400, 0)::float8 as "memberDays",
      u.x_user_id is not null as "xLinked", did.*, invited.beside as "invitedBeside"
    from users u
    left join community_members m on m.community_id = ${communityId} and m.user_id = u.id
    cross join lateral (
      select count(*) filter (where c.state = 'approved')::int as approved,
        count(*) filter (where c.state = 'rejected')::int as rejected,
        count(*) filter (where c.state = 'reversed')::int as reversed,
        coalesce(max(c.near), 0)::int as burst,
        count(*) filter (where c.answer_hash is not null and exists (
          select from claims o
          where o.task_id = c.task_id and o.answer_hash = c.answer_hash and o.user_id <> u.id
            and (o.submitted_at, o.id) < (c.submitted_at, c.id)))::int as alike
      from (
        select *, count(*) over (order by submitted_at range between interval '10 minutes' preceding and current row) as near
        from claims where community_id = ${communityId} and user_id = u.id
          -- What a check did not pass by itself, as a failed quiz, is a try: nobody refused it, and it moves nothing.
          and not (state = 'rejected' and decided_by is null)
      ) c
    ) did
    cross join lateral (
      select count(*)::int as beside from referrals r
      join referrals o on o.community_id = r.community_id and o.inviter_id = r.inviter_id and o.invitee_id <> u.id
        and o.joined_at between r.joined_at - interval '1 hour' and r.joined_at + interval '1 hour'
      where r.community_id = ${communityId} and r.invitee_id = u.id
    ) invited
    where u.id = any(${[...userIds]})`;
  return new Map(rows.map((facts) => [facts.userId, trustOf(facts)]));
}

/** The sum of what the signals say, 0 to 100. Every signal that moves it is listed. */
export function trustOf(facts: Omit<Facts, 'userId'>): Trust {
  const signals = signalsOf(facts).filter(({ effect }) => effect !== 0);
  const sum = signals.reduce((total, { effect }) => total + effect, START);
  return { score: Math.max(0, Math.min(100, sum)), signals };
}

const days = (count: number): string => `${Math.floor(count)} ${Math.floor(count) === 1 ? 'day' : 'days'}`;

function signalsOf(facts: Omit<Facts, 'userId'>): TrustSignal[] {
  const { approved, rejected, reversed, burst, alike, invitedBeside } = facts;
  const decided = approved + rejected + reversed;
  const share = decided === 0 ? 0 : approved / decided;
  const grown = (age: number, most: number) =>
    Math.round((Math.max(0, Math.min(age, FULL_AGE_DAYS)) / FULL_AGE_DAYS) * most);
  return [
    { code: 'account_age', effect: grown(facts.accountDays, 10), note: `Signed up ${days(facts.accountDays)} ago` },
    { code: 'membership_age', effect: grown(facts.memberDays, 15), note: `A member for ${days(facts.memberDays)}` },
    { code: 'x_linked', effect: facts.xLinked ? 10 : 0, note: 'Linked an X account' },
    {
      code: 'approved_share',
      effect: decided < FEW_DECIDED ? 0 : Math.round((share - 0.5) * 30),
      note: `${approved} of ${decided} decided claims approved`,
    },
    {
      code: 'reversals',
      effect: -Math.min(30, reversed * 10),
      note: `${reversed} approved ${reversed === 1 ? 'claim was' : 'claims were'} taken back`,
    },
    {
      code: 'pace',
      effect: burst < BURST_FROM ? 0 : -Math.min(20, burst - BURST_FROM + 5),
      note: `${burst} claims within ten minutes`,
    },
    {
      code: 'likeness',
      effect: -Math.min(30, alike * 10),
      note: `${alike} ${alike === 1 ? 'answer' : 'answers'} that somebody else had sent before`,
    },
    {
      code: 'invited_burst',
      effect: invitedBeside < INVITED_BESIDE_FROM ? 0 : -15,
      note: `${invitedBeside} others were invited by the same member within the hour`,
    },
  ];
}
