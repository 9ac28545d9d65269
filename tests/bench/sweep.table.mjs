// @ts-check
/**
 * The sweep of one chat with 100,000 members of whom nothing was heard for a day, against a Bot API that answers at once: the plan, how long
 * it takes by its own clock, the most calls in any second, and what it costs this process. `BENCH_MEMBERS=10000` takes another size.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtParts } from './parts.mjs';

const MEMBERS = Number(process.env['BENCH_MEMBERS'] ?? 100_000);
const PARTS = [
  'server/features/chats/sweep',
  'server/storage/connect',
  'server/storage/embedded/embedded',
  'server/storage/migrate',
];
/** Telegram's FAQ: about thirty messages a second. Reads have no named limit; two thirds of that leave room for people. */
const PER_SECOND = 20;

export async function measure() {
  const home = mkdtempSync(join(tmpdir(), 'muster-sweep-'));
  const parts = await builtParts(PARTS);
  const { startEmbedded } = await import(`${parts.at}/embedded.js`);
  const { connectTo } = await import(`${parts.at}/connect.js`);
  const { migrate } = await import(`${parts.at}/migrate.js`);
  const { planSweep, sweepChats } = await import(`${parts.at}/sweep.js`);
  const server = await startEmbedded({ home: join(home, 'postgres'), database: 'muster' });
  const sql = connectTo(server.url());
  try {
    await migrate(sql);
    await fill(sql);
    let clock = Date.now();
    const begun = clock;
    /** @type {number[]} */
    const calls = [];
    const member = async () => {
      calls.push(clock);
      return 'member';
    };
    const runtime = {
      sql,
      now: () => new Date(clock),
      config: { productName: 'Bench' },
      telegram: { chats: { member } },
    };
    const sleep = async (/** @type {number} */ ms) => {
      clock += ms;
    };
    const pace = { sleep };
    const plan = await planSweep(sql, new Date(clock));
    console.log(
      `plan: ${plan.due} members are due, ${(plan.takesMs / 60_000).toFixed(1)} minutes at ${PER_SECOND} a second`,
    );
    const real = performance.now();
    const cpu = process.cpuUsage();
    let runs = 0;
    // As the job runs it: each run gives its turn back after some minutes, and the next goes on.
    while ((await sweepChats(runtime, new AbortController().signal, pace)) > 0) runs += 1;
    const { user, system } = process.cpuUsage(cpu);
    const [left] = await sql`select count(*)::int as count from community_members m
      where not exists (select from chat_members cm where cm.user_id = m.user_id and cm.checked_at is not null)`;
    let most = 0;
    for (let from = 0, to = 0; to < calls.length; to += 1) {
      while ((calls[to] ?? 0) - (calls[from] ?? 0) >= 1_000) from += 1;
      most = Math.max(most, to - from + 1);
    }
    return [
      { metric: `members due, of ${MEMBERS}`, ours: plan.due, unit: 'members' },
      { metric: 'planned duration', ours: plan.takesMs / 60_000, unit: 'min' },
      {
        metric: `duration by its own clock, in ${runs} runs`,
        ours: (clock - begun) / 60_000,
        unit: 'min',
        most: (MEMBERS / PER_SECOND / 60) * 1.05,
      },
      { metric: 'most calls within a second', ours: most, unit: 'calls', most: PER_SECOND },
      { metric: 'members not asked about', ours: left?.['count'] ?? null, unit: 'members', most: 0 },
      { metric: 'CPU of this process a member', ours: (user + system) / MEMBERS, unit: 'µs' },
      { metric: 'real time without Telegram', ours: (performance.now() - real) / 1_000, unit: 's' },
    ];
  } finally {
    await sql.end();
    await server.stop();
    rmSync(home, { recursive: true, force: true });
    parts.remove();
  }
}

/** @param {import('postgres').Sql} sql */
async function fill(sql) {
  await sql`
    insert into users (telegram_user_id, display_name, is_verified)
    select 10000000 + n, 'Person ' || n, true from generate_series(1, ${MEMBERS}) n`;
  const [place] = await sql`
    insert into communities (slug, name, created_by) select 'bench', 'Bench', id from users limit 1 returning id`;
  const id = String(place?.['id']);
  await sql`insert into community_members (community_id, user_id) select ${id}, id from users`;
  await sql`
    insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
    values (${id}, 'group', -100200, 'Bench', now(), now())`;
  await sql`vacuum analyze`;
}
