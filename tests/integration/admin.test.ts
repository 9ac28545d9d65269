import { afterAll, beforeAll, expect, test } from 'vitest';
import { AdminOverview } from '../../server/contract/routes.ts';
import { telegramState } from '../../server/features/admin/telegram-state.ts';
import { SANDBOX_BOT_USERNAME } from '../../server/sandbox/settings.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { community } from '../support/world.ts';

let server: TestServer;
let cookie: string;
beforeAll(async () => {
  server = await testServer();
  ({ cookie } = await server.person({ role: 'ops' }));
});
afterAll(() => server?.close());

const overview = async () => AdminOverview.parse((await server.request('GET', '/api/admin/overview', { cookie })).json);

test('counts people, communities, claims and logs, and knows its storage and bot', async () => {
  const before = await overview();
  const founder = await server.person();
  await server.person({ verified: false, membership: 'kicked' });
  await community(server, founder.userId);
  await server.request('POST', '/api/debug/client-logs', {
    body: { type: 'error', data: { message: 'x', timestamp: new Date().toISOString() } },
  });
  const after = await overview();
  // A community's sample brings one author with one waiting claim.
  expect(after.people).toEqual({
    all: before.people.all + 3,
    verified: before.people.verified + 2,
    revoked: before.people.revoked + 1,
  });
  expect(after.communities).toBe(before.communities + 1);
  expect(after.claims.waiting).toBe(before.claims.waiting + 1);
  expect(after.clientLogs.error).toBe(before.clientLogs.error + 1);
  expect(after.storage).toMatchObject({
    kind: 'external',
    schema: expect.any(Number),
    version: expect.stringMatching(/^1[5-9]/),
  });
  expect(after.storage.bytes).toBeGreaterThan(1_000_000);
  expect(after.telegram).toMatchObject({ configured: true, botUsername: SANDBOX_BOT_USERNAME, error: null });
  expect(after.x).toEqual({ configured: true });
});

test('notices standings that are not the sums of the ledger', async () => {
  const { userId } = await server.person();
  const { id } = await community(server, userId);
  expect((await overview()).ledgerMatchesStandings).toBe(true);
  const award = (points: number) =>
    server.sql`insert into point_events (community_id, user_id, kind, points) values (${id}, ${userId}, 'adjust', ${points})`;
  await award(7);
  expect((await overview()).ledgerMatchesStandings).toBe(false);
  await server.sql`insert into scores (community_id, user_id, points, reached_at) values (${id}, ${userId}, 7, now())`;
  expect((await overview()).ledgerMatchesStandings).toBe(true);
  await award(-7);
  expect((await overview()).ledgerMatchesStandings).toBe(false);
  await server.sql`update scores set points = 0 where user_id = ${userId}`;
  expect((await overview()).ledgerMatchesStandings).toBe(true);
});

test('a bot that fails is shown with its words, without its token', async () => {
  const telegram = (botUsername: () => Promise<string>) => ({ ...server.runtime.telegram, botUsername });
  const failing = telegram(() =>
    Promise.reject(new Error('401 at https://api/bot7000000001:AASandboxTokenThatOpensNothingAtAll/getMe')),
  );
  expect(await telegramState(failing, '-1001')).toEqual({
    configured: true,
    botUsername: null,
    requiredChannel: '-1001',
    error: '401 at https://api/bot[token]/getMe',
  });
  const silent = telegram(() => new Promise(() => undefined));
  expect((await telegramState(silent, null, 20)).error).toBe('no answer within 0.02 s');
  const none = { ...server.runtime.telegram, configured: false };
  expect(await telegramState(none, null)).toMatchObject({ configured: false, error: null });
});
