/** What leaves a community, by webhooks and files, tells of every kind of task alike, and gives away nothing of what is asked. */
import { expect, it } from 'vitest';
import type { Claim } from '../../server/contract/claims.ts';
import { WebhookEvent } from '../../server/contract/rooms.ts';
import { TaskKind, type TaskSetup } from '../../server/contract/tasks.ts';
import { grantTask } from '../../server/features/claims/grant.ts';
import { reverseClaim } from '../../server/features/claims/reversal.ts';
import { FORMATS, type Format, tableText } from '../../server/features/exports/table.ts';
import { tables } from '../../server/features/exports/tables.ts';
import { judge } from '../../server/features/imports/judge.ts';
import type { StagedCommunity } from '../support/engagement.ts';
import { type ImportFile, mover, readOf } from '../support/imports.ts';
import { EVERY_KIND, SECRET } from '../support/kind-samples.ts';
import { connectGroup, pointsFor, prepare } from '../support/kinds.ts';
import { later, NOON, openTaskStage } from '../support/task-stage.ts';

const taskIds = new Map<TaskKind, string>();
let seconds = 0;
/** Each act is later than the one before it, as webhooks hear of them. */
const next = () => {
  seconds += 1;
  return later(seconds * 1_000);
};
const { db, on, place, member } = await openTaskStage();
await connectGroup(db.sql, place);
await db.sql`
  insert into webhooks (community_id, url, events, secret, created_by)
  values (${place.id}, 'https://hooks.example.org/', ${WebhookEvent.options}, 'secret', ${place.leader})`;
await db.sql`update users set twitter_username = 'walker' where id = ${member}`;
for (const [nth, kind] of TaskKind.options.entries()) {
  const task = { setup: EVERY_KIND[kind].setup, points: pointsFor(kind), at: later((nth - 1_000) * 1_000) };
  taskIds.set(kind, await on.task(place, task));
}

const taskOf = (kind: TaskKind) => taskIds.get(kind) ?? '';
async function claim(kind: TaskKind): Promise<Claim> {
  const taskId = taskOf(kind);
  const evidence = await prepare(db.sql, { place, kind, taskId, userId: member });
  if (kind !== 'manual') return on.claim(place, taskId, member, { now: next(), ...(evidence && { evidence }) });
  const by = { communityId: place.id, taskId, leaderId: place.leader, now: next() };
  return db.sql.begin((tx) => grantTask(tx, by, { userId: member, reason: 'Carried the tent' }));
}
/** What webhooks heard of a task, in the order in which it happened. */
const heardOf = (taskId: string) => db.sql<{ event: string; data: unknown }[]>`
  select event, body->'data' as data from webhook_deliveries
  where body->'data'->'claim'->>'taskId' = ${taskId} order by created_at, body->>'id'`;

it.each(TaskKind.options)(
  '%s: webhooks hear its kind and what became of a claim, and nothing that was sent',
  async (kind) => {
    const { wrong } = EVERY_KIND[kind];
    const told: [event: string, claim: Claim, userId: string][] = [];
    const decidedAtOnce = (one: Claim, userId: string) =>
      told.push(['claim.submitted', one, userId], ['claim.decided', one, userId]);
    if (wrong) {
      const other = await on.member(place.id);
      const failed = await on.claim(place, taskOf(kind), other, { now: next(), evidence: wrong });
      expect(failed.state).toBe('rejected');
      decidedAtOnce(failed, other);
    }
    let counted = await claim(kind);
    if (kind === 'manual') told.push(['claim.decided', counted, member]);
    else if (counted.state === 'approved') decidedAtOnce(counted, member);
    else {
      told.push(['claim.submitted', counted, member]);
      told.push(['claim.decided', await on.reject(place, counted.id, place.moderator, next()), member]);
      counted = await claim(kind);
      told.push(['claim.submitted', counted, member]);
      counted = await on.approve(place, counted.id, place.moderator, next());
      told.push(['claim.decided', counted, member]);
    }
    expect(counted.state).toBe('approved');
    const by = { communityId: place.id, claimId: counted.id, leaderId: place.leader, now: next() };
    const reversed = await db.sql.begin((tx) => reverseClaim(tx, by, { reason: 'It was somebody else' }));
    told.push(['claim.reversed', reversed, member]);
    const expected = told.map(([event, { id, taskId, period, state, points }, userId]) => ({
      event,
      data: { claim: { id, taskId, kind, userId, period, state, points } },
    }));
    expect([...(await heardOf(taskOf(kind)))]).toEqual(expected);
  },
);

async function exported(
  name: keyof typeof tables,
  format: Format = 'csv',
  of: StagedCommunity = place,
): Promise<string> {
  let text = '';
  for await (const part of tableText(format, tables[name].columns, tables[name].pages(db.sql, of.id))) text += part;
  return text;
}

it('files of claims say what each kind was answered with, and nothing of what is right', async () => {
  const lines = (await exported('claims', 'ndjson')).trimEnd().split('\n');
  const answers = lines.map((line) => JSON.parse(line) as { kind: TaskKind; state: string; answer: string | null });
  for (const kind of TaskKind.options) {
    const [counted] = answers.filter((one) => one.kind === kind && one.state === 'reversed');
    expect([kind, counted?.answer]).toEqual([kind, EVERY_KIND[kind].answer ?? null]);
  }
  for (const format of Object.keys(FORMATS) as Format[])
    for (const name of ['claims', 'history', 'ledger', 'members'] as const) {
      const text = await exported(name, format);
      expect([name, format, text.includes(SECRET), text.includes('7193.25')]).toEqual([name, format, false, false]);
    }
});

it('files of claims have what a member noted beside a link, a picture or a file', async () => {
  const elsewhere = await on.community();
  const by = await on.member(elsewhere.id);
  for (const kind of ['submit_url', 'submit_image', 'file'] as const) {
    const taskId = await on.task(elsewhere, { setup: EVERY_KIND[kind].setup });
    const evidence = await prepare(db.sql, { place: elsewhere, kind, taskId, userId: by });
    const noted = { ...evidence, note: `Noted beside ${kind}` } as NonNullable<typeof evidence>;
    await on.claim(elsewhere, taskId, by, { now: next(), evidence: noted });
  }
  const lines = (await exported('claims', 'ndjson', elsewhere)).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line)).map(({ kind, note }) => [kind, note])).toEqual([
    ['submit_url', 'Noted beside submit_url'],
    ['submit_image', 'Noted beside submit_image'],
    ['file', 'Noted beside file'],
  ]);
  expect((await exported('claims', 'csv', elsewhere)).split('\r\n')[0]).toContain('"answer","note","submitted"');
});

it('tasks of every kind are taken along and moved in elsewhere as they are', async () => {
  const draw = { ref: 'shipped:wallets-and-keys', count: 3 };
  const pack: TaskSetup = { kind: 'quiz', passPercent: 60, questions: [], pack: draw };
  await on.task(place, { setup: pack, recurrence: 'weekly', caps: { total: 9, coolDownMinutes: 5 }, at: later(0) });
  await on.task(place, { setup: EVERY_KIND.x_follow.setup, points: 50, at: later(1) });
  const file: ImportFile = { kind: 'tasks', name: 'tasks.csv', text: await exported('tasks') };
  const rows = (of: StagedCommunity) => db.sql`
    select kind, title, instructions, case when starts_with(kind, 'x_') then 0 else points end as points, recurrence,
      config - 'pack' as config, config->'pack'->>'ref' as pack, opens_at, closes_at, local_window, cap_total, cap_member,
      cool_down_minutes
    from tasks where community_id = ${of.id} order by title`;
  const all = TaskKind.options.length + 2;
  const elsewhere = await on.community();
  const move = mover(db.sql, elsewhere, () => NOON);
  const line = (kind: TaskKind) => 2 + TaskKind.options.indexOf(kind);
  // Without its group nobody could ever be seen there.
  const needing = TaskKind.options.filter(
    (kind) => EVERY_KIND[kind].setup.kind.startsWith('telegram_') && kind !== 'telegram_event',
  );
  expect(await move.problems(file)).toEqual({ place_missing: needing.map(line), x_points: [all + 1] });
  expect(await move.run(file)).toMatchObject({ count: all - needing.length });
  await db.sql`delete from tasks where community_id = ${elsewhere.id}`;
  await db.sql`update community_chats set community_id = ${elsewhere.id}`;
  expect(await move.dryRun(file)).toMatchObject({ source: 'muster', ready: all, leftOut: 0 });
  await move.run(file);
  expect([...(await rows(elsewhere))]).toEqual([...(await rows(place))]);
  const promised =
    await db.sql`select from tasks where community_id = ${elsewhere.id} and starts_with(kind, 'x_') and points > 0`;
  expect(promised).toHaveLength(0);
  // Where both the environment and an administrator want it, what a task at X gives comes along.
  await db.sql`
    insert into instance_switches (name, is_on, reason, changed_at) values ('x_action_points', true, 'Ours', ${NOON})`;
  const { id: communityId } = await on.community();
  const pointsAtX = async (xPoints: boolean) =>
    (await judge(db.sql, { communityId, now: NOON }, file, await readOf(file, NOON, xPoints))).tasks.at(-1)?.task
      .points;
  expect([await pointsAtX(true), await pointsAtX(false)]).toEqual([50, 0]);
});
