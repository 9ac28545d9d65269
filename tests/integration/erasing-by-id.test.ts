import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { eraseDue } from '../../server/features/person/erase.ts';
import { scheduleErasure } from '../../server/features/person/erasure.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf, type TestCommunity } from '../support/world.ts';

const home = folderOfFile();

let place: TestCommunity;
let leader: { userId: string; cookie: string };
const server = await ofFile(testServer({ sandbox: false, config: { home } }));
beforeEach(async () => {
  server.advance(60_000);
  place = await community(server, (await server.person()).userId);
  leader = await memberOf(server, place.id, 'leader', { role: 'admin' });
});

async function erase(userId: string): Promise<void> {
  const { sql } = server;
  const asked = server.runtime.now();
  await sql.begin((tx) =>
    scheduleErasure(tx, { userId, by: 'operator', actorId: null, reason: null, now: asked, leavesCommunities: true }),
  );
  await eraseDue({ ...server.runtime, now: () => new Date(asked.getTime() + 8 * 86_400_000) });
  expect(await sql`select from users where id = ${userId} and erased_at is not null`).toHaveLength(1);
}

type Who = { cookie: string };
const send = (method: string, path: string, who: Who, body: unknown, key: string) =>
  server.command(method, `/api/communities/${place.id}${path}`, { cookie: who.cookie, body, key });
const stored = (key: string) => server.sql`select * from idempotency_keys where key = ${key}`;

describe('a stored answer', () => {
  const NEWS = { title: 'News', body: 'Of an id, null and true', pinnedUntil: null };
  test.each(['id', 'null', 'News', 'true', '{"', ''])(
    'of somebody else stays when one called %j is erased',
    async (name) => {
      const key = randomUUID();
      const posted = await send('POST', '/announcements', leader, NEWS, key);
      expect(posted.status).toBe(201);
      const before = await stored(key);
      await erase((await server.person({ name })).userId);
      expect(await stored(key)).toEqual([...before]);
      expect((await send('POST', '/announcements', leader, NEWS, key)).json).toEqual(posted.json);
      expect(await server.sql`select from announcements where community_id = ${place.id}`).toHaveLength(1);
    },
  );

  test('of a bulk loses what is about the one who is erased alone', async () => {
    const other = await community(server, leader.userId);
    await server.sql`
      update claims set (community_id, task_id) = (select community_id, task_id from claims where id = ${place.claimId}),
        evidence = '{"kind":"submit_text","text":"others"}'
      where id = ${other.claimId}`;
    const [claim] = await server.sql<
      { userId: string }[]
    >`select user_id as "userId" from claims where id = ${place.claimId}`;
    const key = randomUUID();
    const decisions = [place.claimId, other.claimId].map((claimId) => ({
      claimId,
      decision: 'reject',
      reason: 'Not so',
    }));
    expect((await send('POST', '/decisions', leader, { decisions }, key)).status).toBe(200);
    await erase(claim?.userId ?? '');
    const [{ answer } = { answer: null }] = await stored(key);
    expect(answer).toMatchObject({
      results: [
        { outcome: 'decided', claim: { state: 'rejected', evidence: { text: '' }, reason: '' } },
        { outcome: 'decided', claim: { state: 'rejected', evidence: { text: 'others' }, reason: 'Not so' } },
      ],
    });
  });

  test('of a member loses the name of a reviewer who is erased, and keeps the member’s words', async () => {
    const reviewer = await memberOf(server, place.id, 'moderator', { name: 'Rita Reviewer' });
    const author = await memberOf(server, place.id, 'member');
    await server.sql`
      update claims set user_id = ${author.userId}, state = 'rejected', decided_by = ${reviewer.userId}, decided_at = now(), reason = 'No'
      where id = ${place.claimId}`;
    const key = randomUUID();
    const appealed = await send('POST', `/claims/${place.claimId}/appeal`, author, { text: 'Please look again' }, key);
    expect(appealed.json).toMatchObject({ decidedBy: 'Rita Reviewer' });
    await erase(reviewer.userId);
    const [{ answer } = { answer: null }] = await stored(key);
    expect(answer).toEqual({ ...appealed.json, decidedBy: 'Erased person' });
  });
});

test('what other programs are told of others stays, also where somebody wrote the id of the one who is erased', async () => {
  const { sql } = server;
  const gone = await memberOf(server, place.id, 'member');
  const stays = await memberOf(server, place.id, 'member');
  await sql`
    insert into webhooks (community_id, url, events, secret, created_by)
    values (${place.id}, 'https://hooks.example.org/', '{points.changed}', 'secret', ${leader.userId})`;
  for (const { userId } of [gone, stays])
    await send('POST', '/adjustments', leader, { userId, points: 5, reason: `Not ${gone.userId}` }, randomUUID());
  await erase(gone.userId);
  const left = await sql`select body->'data'->>'userId' as id from webhook_deliveries where event = 'points.changed'`;
  expect(left).toEqual([{ id: stays.userId }]);
});

describe('a line of an import that waits', () => {
  type Line = { id?: number; name?: string; x?: string };
  /** What is left of lines of another community's file once somebody is erased. */
  async function left(lines: readonly Line[], person: { telegram?: string; x?: string; display: string }, days = 0) {
    const { sql } = server;
    const { userId } = await server.person({ name: person.display });
    await sql`
      update users set telegram_username = ${person.telegram ?? null}, twitter_username = ${person.x ?? null},
        telegram_user_id = 4242, created_at = now() - interval '1 year' where id = ${userId}`;
    await sql`update sessions set telegram_at = now() - ${`${days} days`}::interval where user_id = ${userId}`;
    const [file] = await sql<{ id: string }[]>`
      insert into imports (community_id, kind, source, file_name, count, points, created_by, created_at, undo_until)
      values (${place.id}, 'people', 'other', 'a.csv', 1, 7, ${leader.userId}, now(), now()) returning id`;
    for (const [line, { id = null, name = null, x = null }] of lines.entries())
      await sql`
        insert into imported_people (import_id, line, community_id, telegram_user_id, telegram_username, x_handle, points)
        values (${file?.id ?? ''}, ${line}, ${place.id}, ${id}, ${name}, ${x}, 7)`;
    await erase(userId);
    return (await sql`select line from imported_people where import_id = ${file?.id ?? ''} order by 1`).map(
      ({ line }) => line,
    );
  }

  test('stays where the one who is erased is only called like it', async () => {
    expect(
      await left([{ name: 'gail' }, { x: 'gail' }, { name: 'bob' }], { display: 'gail', telegram: 'hugo' }),
    ).toEqual([0, 1, 2]);
    expect(await left([{ name: 'gail' }], { display: '@gail' })).toEqual([0]);
  });
  test('goes where it names the very account: by id, by the @username that Telegram has said, or by the proven handle', async () => {
    const lines = [{ id: 4242, name: 'another' }, { name: 'hugo' }, { x: 'hugo_x' }, { name: 'hugo', x: 'hugo_x' }];
    expect(await left(lines, { display: 'H', telegram: 'Hugo', x: 'Hugo_X' })).toEqual([]);
  });
  test('stays where it names somebody else as well: another id, or another’s handle beside the name', async () => {
    const lines = [
      { id: 99, name: 'hugo', x: 'hugo_x' },
      { name: 'hugo', x: 'other' },
      { name: 'other', x: 'hugo_x' },
    ];
    expect(await left(lines, { display: 'H', telegram: 'hugo', x: 'hugo_x' })).toEqual([0, 1, 2]);
  });
  test('stays where Telegram had said the name so long before that it may be somebody else’s by now', async () => {
    expect(await left([{ name: 'hugo' }, { id: 4242 }], { display: 'H', telegram: 'hugo' }, 40)).toEqual([0]);
  });
});
