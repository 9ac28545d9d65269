import type { Sql } from 'postgres';

/** What came into an instance after a moment, which a backup of that moment lacks. */
export type Loss = { people: number; claims: number; decisions: number; points: number };

export async function countSince(sql: Sql, at: Date): Promise<Loss> {
  const [loss] = await sql<[Loss]>`
    select (select count(*)::int from users where created_at > ${at}) as people,
      (select count(*)::int from claims where submitted_at > ${at}) as claims,
      (select count(*)::int from claims where decided_at > ${at}) as decisions,
      (select coalesce(sum(points), 0)::float8 from point_events where at > ${at}) as points`;
  return loss;
}
