import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { stage } from './engagement.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** One line of a claim's history, with what an oracle needs to know of its claim. */
export type YearFigures = {
  community: string;
  task: string;
  user: string;
  claim: string;
  kind: string;
  from: string | null;
  to: string;
  at: Date;
  actedAt: Date;
};
export type Year = {
  communities: string[];
  tasks: string[];
  /** When somebody first signed in, and joined which community when. */
  people: {
    id: string;
    createdAt: Date;
    hasX: boolean;
    isVerified: boolean;
    joined: { community: string; at: Date }[];
  }[];
  events: YearFigures[];
};

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Wanted = { now: Date; days: number; people: number; claims: number };

/**
 * A year of three communities, written into the database as commands would have left it: people who come, answer at once or late, are
 * decided by the server or after a while by a reviewer, are sent back, send again, appeal, and are given things by hand.
 */
export async function writeYear(sql: Sql, { now, days, people, claims }: Wanted): Promise<Year> {
  const chance = seeded(20_261_126);
  const on = stage(sql);
  const places = [await on.community(), await on.community(), await on.community()];
  const tasks = await Promise.all(
    places.flatMap((place) =>
      [1, 2, 3].map(async () => ({ community: place.id, reviewer: place.moderator, id: await on.task(place) })),
    ),
  );
  const first = now.getTime() - days * DAY_MS;
  const made: Year = {
    communities: places.map(({ id }) => id),
    tasks: tasks.map(({ id }) => id),
    people: [],
    events: [],
  };
  for (let at = 0; at < people; at += 1) {
    const createdAt = new Date(first + chance() * (now.getTime() - first));
    const joined = places
      .filter(() => chance() < 0.6)
      .map(({ id }) => ({
        community: id,
        at: new Date(Math.min(now.getTime(), createdAt.getTime() + chance() * 3 * DAY_MS)),
      }));
    made.people.push({ id: randomUUID(), createdAt, hasX: chance() < 0.7, isVerified: chance() < 0.6, joined });
  }
  for (let count = 0; count < claims; count += 1) {
    const person = pick(chance, made.people);
    if (person.joined.length === 0) continue;
    const { community, at: since } = pick(chance, person.joined);
    const task = pick(
      chance,
      tasks.filter((one) => one.community === community),
    );
    // More of it near the day they came: else nobody would come back on day 7.
    const spread = chance() < 0.5 ? 9 * DAY_MS : now.getTime() - since.getTime();
    const at = Math.floor(since.getTime() + chance() * spread);
    if (at < now.getTime())
      made.events.push(...historyOf({ chance, community, task: task.id, user: person.id, at, now }));
  }
  made.events.sort((one, other) => one.at.getTime() - other.at.getTime());
  await write(sql, made, places[0]?.moderator ?? '');
  return made;
}

type Act = { chance: () => number; community: string; task: string; user: string; at: number; now: Date };

function historyOf({ chance, community, task, user, at, now }: Act): YearFigures[] {
  // 60 seconds to the dot is not late: a late answer is one that is later.
  const delay = chance() < 0.15 ? MINUTE_MS * (1 + chance() * 600) + 1 : pick(chance, [0, 900, MINUTE_MS]);
  const claim = randomUUID();
  const told: YearFigures[] = [];
  const say = (kind: string, to: string, when: number): number => {
    const from = told.at(-1)?.to ?? null;
    if (when < now.getTime())
      told.push({ community, task, user, claim, kind, from, to, at: new Date(when), actedAt: new Date(at - delay) });
    return when;
  };
  const soon = () => MINUTE_MS * Math.floor(1 + chance() ** 4 * 4_000) + Math.floor(chance() * 59_000);
  const luck = chance();
  if (luck < 0.3) say('checked', 'approved', at);
  else if (luck < 0.4) say('checked', 'rejected', at);
  else if (luck < 0.43) say('given', 'approved', at);
  else {
    const sent = say('submitted', 'submitted', at);
    const decided = sent + soon();
    if (luck < 0.65) say('approved', 'approved', decided);
    else if (luck < 0.75) say('reversed', 'reversed', say('approved', 'approved', decided) + soon());
    else if (luck < 0.85) {
      const again = say('resubmitted', 'submitted', say('sent_back', 'changes_requested', decided) + soon());
      say('approved', 'approved', again + soon());
    } else if (luck < 0.95) {
      const appealed = say('appealed', 'rejected', say('rejected', 'rejected', decided) + soon());
      if (chance() < 0.5) say('appeal_granted', 'approved', appealed + soon());
      else say('appeal_refused', 'rejected', appealed + soon());
    }
  }
  return told;
}

const pick = <T>(chance: () => number, list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;

async function write(sql: Sql, { people, events }: Year, reviewer: string): Promise<void> {
  await sql`
    insert into users (id, telegram_user_id, display_name, x_user_id, is_verified, created_at)
    select id, 8800000 + row_number() over (), 'Person', case when x = 'yes' then 'x' || id end, verified = 'yes', at
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ hasX }) => (hasX ? 'yes' : 'no'))}::text[],
      ${people.map(({ isVerified }) => (isVerified ? 'yes' : 'no'))}::text[], ${people.map(({ createdAt }) => createdAt.toISOString())}::timestamptz[])
      as p (id, x, verified, at)`;
  const joined = people.flatMap(({ id, joined: places }) => places.map(({ community, at }) => ({ id, community, at })));
  await sql`
    insert into community_members (community_id, user_id, joined_at)
    select * from unnest(${joined.map(({ community }) => community)}::uuid[], ${joined.map(({ id }) => id)}::uuid[],
      ${joined.map(({ at }) => at.toISOString())}::timestamptz[])`;
  const claims = [...new Map(events.map((event) => [event.claim, event])).values()];
  await sql`
    insert into claims (id, community_id, task_id, user_id, period, state, points, acted_at, local_day, submitted_at)
    select c.id, c.community, c.task, c.person, c.id::text, c.state, 5, c.acted, c.acted::date, c.submitted
    from unnest(${claims.map(({ claim }) => claim)}::uuid[], ${claims.map(({ community }) => community)}::uuid[],
      ${claims.map(({ task }) => task)}::uuid[], ${claims.map(({ user }) => user)}::uuid[],
      ${claims.map(({ to }) => to)}::text[], ${claims.map(({ actedAt }) => actedAt.toISOString())}::timestamptz[],
      ${claims.map(({ claim }) => events.find((event) => event.claim === claim)?.at.toISOString() ?? '')}::timestamptz[])
      as c (id, community, task, person, state, acted, submitted)`;
  await sql`
    insert into claim_events (community_id, claim_id, kind, from_state, to_state, at, actor_id)
    select e.community, e.claim, e.kind, nullif(e.before, ''), e.after, e.at,
      case when e.kind in ('submitted', 'resubmitted', 'checked', 'appealed') then e.person else ${reviewer}::uuid end
    from unnest(${events.map(({ community }) => community)}::uuid[], ${events.map(({ claim }) => claim)}::uuid[],
      ${events.map(({ kind }) => kind)}::text[], ${events.map(({ from }) => from ?? '')}::text[],
      ${events.map(({ to }) => to)}::text[], ${events.map(({ at }) => at.toISOString())}::timestamptz[],
      ${events.map(({ user }) => user)}::uuid[]) with ordinality
      as e (community, claim, kind, before, after, at, person, place)
    order by e.place`;
}
