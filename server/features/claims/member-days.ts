import type { TransactionSql } from 'postgres';
import { type KeptRun, runOver } from '../../domain/streak.ts';
import { INSTANCE } from '../ledger/record.ts';

/** A day of a member's that began to count (1), or ceased to (-1). */
export type DayChange = { communityId: string; userId: string; day: string; counted: number };
type KeptMember = KeptRun & { communityId: string; userId: string };

const placeOf = ({ communityId, userId }: { communityId: string; userId: string }) => `${userId} ${communityId}`;

/**
 * Goes on with the runs of members for days that count from now on. A day before the last one, and one that counts no more, make
 * the member's runs again from all their days.
 */
export async function updateRuns(tx: TransactionSql, changed: readonly DayChange[]): Promise<void> {
  const changes = changed.filter(({ counted }) => counted !== 0);
  if (changes.length === 0) return;
  const kept = await readRuns(tx, [...new Set(changes.map(({ userId }) => userId))]);
  const anew = new Set<string>();
  const moved = new Map<string, KeptMember>();
  const inOrder = changes
    .flatMap((one) => [one, { ...one, communityId: INSTANCE }])
    .sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0));
  for (const { communityId, userId, day, counted } of inOrder) {
    const key = placeOf({ communityId, userId });
    const before = moved.get(key) ?? kept.get(key) ?? null;
    if (counted < 0 || (before && day < before.countedDay)) anew.add(userId);
    else if (day !== before?.countedDay) {
      const run = runOver([day], before);
      if (run) moved.set(key, { ...run, communityId, userId });
    }
  }
  await write(
    tx,
    [...moved.values()].filter(({ userId }) => !anew.has(userId)),
  );
  await makeRuns(tx, [...anew]);
}

/** Makes the runs of people from all their days that count. Returns how many runs were wrong. */
export async function makeRuns(tx: TransactionSql, people: readonly string[]): Promise<number> {
  if (people.length === 0) return 0;
  const rows = await tx<{ communityId: string; userId: string; days: string[] }[]>`
    select coalesce(community_id, ${INSTANCE}::uuid) as "communityId", user_id as "userId",
      array_agg(distinct local_day::text order by local_day::text) as days
    from claims where user_id = any(${[...people]}::uuid[]) and state = 'approved'
    group by grouping sets ((user_id, community_id), (user_id))`;
  const kept = await readRuns(tx, people);
  const right = rows.flatMap(({ communityId, userId, days }) => {
    const run = runOver(days);
    return run ? [{ ...run, communityId, userId }] : [];
  });
  const wrong = right.filter((one) => isOther(one, kept.get(placeOf(one))));
  for (const one of right) kept.delete(placeOf(one));
  const gone = [...kept.values()];
  await write(tx, wrong);
  if (gone.length > 0)
    await tx`
      delete from member_days where (user_id, community_id) in (
        select * from unnest(${gone.map(({ userId }) => userId)}::uuid[], ${gone.map(({ communityId }) => communityId)}::uuid[]))`;
  return wrong.length + gone.length;
}

const isOther = (one: KeptMember, other: KeptMember | undefined): boolean =>
  one.countedDay !== other?.countedDay ||
  one.run !== other.run ||
  one.freezes !== other.freezes ||
  one.repairOn !== other.repairOn ||
  one.endsOn !== other.endsOn;

async function readRuns(tx: TransactionSql, people: readonly string[]): Promise<Map<string, KeptMember>> {
  const rows = await tx<KeptMember[]>`
    select community_id as "communityId", user_id as "userId", counted_day::text as "countedDay", run, freezes,
      repair_on::text as "repairOn", ends_on::text as "endsOn"
    from member_days where user_id = any(${[...people]}::uuid[])`;
  return new Map(rows.map((row) => [placeOf(row), row]));
}

async function write(tx: TransactionSql, runs: readonly KeptMember[]): Promise<void> {
  if (runs.length === 0) return;
  const column = (name: keyof KeptMember) => runs.map((run) => run[name]);
  await tx`
    insert into member_days as d (community_id, user_id, counted_day, run, freezes, repair_on, ends_on)
    select * from unnest(${column('communityId')}::uuid[], ${column('userId')}::uuid[], ${column('countedDay')}::date[],
      ${column('run')}::int[], ${column('freezes')}::smallint[], ${column('repairOn')}::date[], ${column('endsOn')}::date[])
    on conflict (user_id, community_id) do update set counted_day = excluded.counted_day, run = excluded.run,
      freezes = excluded.freezes, repair_on = excluded.repair_on, ends_on = excluded.ends_on,
      look_at = case when d.look_at is null or excluded.counted_day < d.counted_day then 'epoch' else d.look_at end`;
}
