import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AdminOverview, CheckName, Switch } from '../../server/contract/overview.ts';
import type { Check } from '../../server/features/admin/check.ts';
import { telegramState } from '../../server/features/admin/check-telegram.ts';
import { readChecks, storeHealth } from '../../server/features/admin/health.ts';
import { checkLedger } from '../../server/features/ledger/drift.ts';
import { writeVisits } from '../../server/http/visits.ts';
import { startJobs } from '../../server/jobs.ts';
import { SANDBOX_BOT_USERNAME } from '../../server/sandbox/settings.ts';
import { noteBackup } from '../../server/storage/backup-runs.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';
import { community } from '../support/world.ts';

const DAY_MS = 86_400_000;

const client = folderOfFile();
writeFileSync(join(client, 'index.html'), '<!doctype html><title>Muster</title>');
const server = await ofFile(testServer({ client: { dir: client } }));
const { cookie } = await server.person({ role: 'ops' });

const overview = async () => AdminOverview.parse((await server.request('GET', '/api/admin/overview', { cookie })).json);
const checks = async () => (await overview()).checks;

test('counts people and what waits, and knows its storage, its versions and its bot', async () => {
  const before = await overview();
  const founder = await server.person();
  await server.person({ verified: false });
  // A community's sample brings one author with one waiting claim.
  await community(server, founder.userId);
  await server.sql`
    insert into leader_applications (user_id, about, plan, submitted_at) values (${founder.userId}, 'a', 'b', '2026-01-02T03:04:05Z')`;
  const after = await overview();
  expect(after.counts).toEqual({
    people: (before.counts?.people ?? 0) + 3,
    verified: (before.counts?.verified ?? 0) + 2,
    communities: (before.counts?.communities ?? 0) + 1,
    activeToday: 0,
  });
  expect(after.waiting).toMatchObject({
    applications: { count: 1, oldestAt: '2026-01-02T03:04:05.000Z' },
    partnerships: { count: 0, oldestAt: null },
    reviews: { count: (before.waiting.reviews?.count ?? 0) + 1, oldestAt: expect.any(String) },
    appeals: { count: 0, oldestAt: null },
  });
  expect(after.checks.database).toMatchObject({
    state: 'fine',
    facts: { kind: 'external', version: expect.stringMatching(/^1[5-9]/), schema: expect.any(Number) },
  });
  expect(after.checks.telegram.facts).toMatchObject({
    configured: true,
    botUsername: SANDBOX_BOT_USERNAME,
    error: null,
  });
  expect(after.versions).toMatchObject({ build: 'test', node: process.version });
});

test('a check that throws or does not answer fails alone', async () => {
  const boom: Check<'push'> = () =>
    Promise.reject(new Error('relation "x" of bot 7000000001:AASandboxTokenThatOpensNothing is gone'));
  const found = await readChecks(server.runtime, { ...(await allFine()), push: boom });
  expect(found.push).toMatchObject({ state: 'unknown', facts: null, error: 'relation "x" of bot [token] is gone' });
  expect(CheckName.options.filter((name) => found[name].state !== 'fine')).toEqual(['push']);
});

/** Every check as one that finds nothing wrong. */
async function allFine() {
  const now = await checks();
  const fine = Object.fromEntries(
    CheckName.options.map((name) => [
      name,
      () => Promise.resolve({ state: 'fine', facts: now[name].facts, figure: 1 }),
    ]),
  );
  return fine as unknown as Parameters<typeof readChecks>[1] & object;
}

test('it is told since when a part is as it is, and what the worst of each day was', async () => {
  const fine = await allFine();
  const bad: typeof fine = { ...fine, push: async () => ({ ...(await fine.push(server.runtime)), state: 'failed' }) };
  await storeHealth(server.runtime, undefined, bad);
  const since = (await readChecks(server.runtime, bad)).push.since;
  server.advance(60_000);
  await storeHealth(server.runtime, undefined, bad);
  expect((await readChecks(server.runtime, bad)).push.since).toBe(since);
  server.advance(60_000);
  await storeHealth(server.runtime, undefined, fine);
  const after = (await readChecks(server.runtime, fine)).push;
  expect(Date.parse(after.since ?? '')).toBeGreaterThan(Date.parse(since ?? ''));
  expect(after.days.at(-1)).toMatchObject({ state: 'failed', figure: 1 });
});

test('a job that fails is named with its words, and is well again once it runs', async () => {
  let isBroken = true;
  const started = startJobs(server.runtime, [
    {
      name: 'tidy',
      everyMs: 5,
      async run() {
        if (isBroken) throw new Error('no room to tidy');
      },
    },
  ]);
  const jobs = async () => (await checks()).jobs;
  await until('the job is told', async () => (await jobs()).state === 'failed');
  expect((await jobs()).facts?.behind).toMatchObject([{ name: 'tidy', okAt: null, error: 'no room to tidy' }]);
  isBroken = false;
  await until('the job is well', async () => (await jobs()).state === 'fine');
  await started.stop();
  server.advance(10 * 60_000);
  expect(await jobs()).toMatchObject({ state: 'attention', facts: { behind: [{ name: 'tidy', error: null }] } });
  await startJobs(server.runtime, []).stop();
  await until('a job of another release is forgotten', async () => (await jobs()).facts?.all === 0);
});

test('a backup that is missing, fails, or is old needs somebody', async () => {
  const backups = async () => (await checks()).backups;
  expect((await backups()).state).toBe('fine');
  server.advance(4 * DAY_MS);
  expect(await backups()).toMatchObject({ state: 'attention', facts: { goodAt: null } });
  await noteBackup(server.sql, { rows: null, error: new Error('no such folder') });
  expect(await backups()).toMatchObject({ state: 'failed', facts: { failure: 'no such folder' } });
  await server.sql`insert into backups (at, rows) values (${server.runtime.now()}, 12)`;
  expect(await backups()).toMatchObject({ state: 'fine', facts: { failure: null } });
  server.advance(8 * DAY_MS);
  expect((await backups()).state).toBe('failed');
  server.advance(-12 * DAY_MS);
  await server.sql`delete from backups`;
});

test('webhooks that were given up or paused are told with their community', async () => {
  const { userId } = await server.person();
  const { id, slug } = await community(server, userId);
  const [hook] = await server.sql<[{ id: string }]>`
    insert into webhooks (community_id, url, events, secret, created_by)
    values (${id}, 'https://a.example/', '{member.joined}', '\\x00', ${userId}) returning id`;
  expect((await checks()).webhooks).toMatchObject({ state: 'fine', facts: { active: 1, failed: 0 } });
  await server.sql`
    insert into webhook_deliveries (webhook_id, event, body, state, created_at)
    values (${hook.id}, 'member.joined', '{}', 'failed', ${server.runtime.now()})`;
  expect((await checks()).webhooks).toMatchObject({
    state: 'attention',
    facts: { failed: 1, troubled: [{ slug, failed: 1, paused: 0 }] },
  });
});

test('a board that is not the sum of the ledger is told after the hourly comparison', async () => {
  const { userId } = await server.person();
  const { id } = await community(server, userId);
  await checkLedger(server.runtime);
  expect((await checks()).ledger).toMatchObject({ state: 'fine', facts: { differences: 0 } });
  await server.sql`insert into point_events (community_id, user_id, kind, points) values (${id}, ${userId}, 'adjust', 7)`;
  await checkLedger(server.runtime);
  expect((await checks()).ledger.state).toBe('failed');
});

test('a bot that fails is shown with its words, without its token; its webhook is looked at', async () => {
  const telegram = (botUsername: () => Promise<string>) => ({ ...server.runtime.telegram, botUsername });
  const at = { requiredChannel: '-1001', webhookUrl: 'https://here.example/api/telegram/webhook' };
  const failing = telegram(() =>
    Promise.reject(new Error('401 at https://api/bot7000000001:AASandboxTokenThatOpensNothingAtAll/getMe')),
  );
  expect(await telegramState(failing, at)).toMatchObject({
    configured: true,
    botUsername: null,
    requiredChannel: '-1001',
    error: '401 at https://api/bot[token]/getMe',
  });
  const silent = telegram(() => new Promise(() => undefined));
  expect((await telegramState(silent, { ...at, timeoutMs: 20 })).error).toBe('no answer within 0.02 s');
  const none = { ...server.runtime.telegram, configured: false };
  expect(await telegramState(none, at)).toMatchObject({ configured: false, error: null });
  const webhook = { url: 'https://elsewhere.example/', pending: 3, errorAt: null, error: null };
  const elsewhere = { ...telegram(async () => 'bot'), webhook: async () => webhook };
  expect((await telegramState(elsewhere, at)).webhook).toMatchObject({ isOurs: false, pending: 3 });
  const asked = { ...elsewhere, webhook: () => Promise.reject(new Error('not asked for')) };
  expect((await telegramState(asked, { ...at, requiredChannel: null })).webhook).toBeNull();
});

test('switches say what they are, and no secret', async () => {
  const { json, text } = await server.request('GET', '/api/admin/switches', { cookie });
  const switches = (json as unknown[]).map((one) => Switch.parse(one));
  expect(switches.find(({ name }) => name === 'X_ACTION_POINTS')).toMatchObject({ isOn: false, value: 'off' });
  expect(switches.find(({ name }) => name === 'TELEGRAM_BOT_TOKEN')).toMatchObject({ isOn: true, value: null });
  const { botToken } = server.runtime.config.telegram;
  expect(botToken).toBeTruthy();
  expect(text).not.toContain(botToken);
});

test('openings of the first page are counted where a browser without a session navigates, installs where one tells of it', async () => {
  // `fetch` says itself how it was asked; a browser that navigates says something else.
  const open = async (headers: Record<string, string>, held?: string) => {
    const asked = get(`${server.url.replace('localhost', '127.0.0.1')}/`, {
      headers: { accept: 'text/html', ...headers, ...(held && { cookie: held }) },
    });
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    reply.resume();
    await once(reply, 'end');
  };
  const browser = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  await open(browser);
  await open(browser);
  await open({});
  await open({ ...browser, 'sec-purpose': 'prefetch' });
  await open({ ...browser, 'sec-fetch-dest': 'iframe' });
  await open(browser, cookie);
  expect((await server.request('POST', '/api/pwa/installs')).status).toBe(202);
  await writeVisits(server.runtime);
  await writeVisits(server.runtime);
  const rows = await server.sql`select what, count::int from visit_days order by what`;
  expect(rows).toEqual([
    { what: 'install', count: 1 },
    { what: 'landing', count: 2 },
  ]);
});

test('what administrators did last stands there by name, and only those who run the instance read it', async () => {
  const admin = await server.person({ role: 'admin' });
  const person = await server.person({ name: 'Jens Osterloh' });
  await server.command('POST', `/api/admin/people/${person.userId}/suspension`, {
    cookie: admin.cookie,
    body: { reason: 'Sent pictures of others', until: null },
    key: 'one',
  });
  const { json } = await server.request('GET', '/api/admin/recent-acts', { cookie });
  expect(json[0]).toMatchObject({
    action: 'person.suspended',
    subject: 'Jens Osterloh',
    reason: 'Sent pictures of others',
  });
  const other = await server.person();
  for (const path of ['overview', 'recent-acts', 'switches', 'analytics/people', 'analytics/export?table=people'])
    expect((await server.request('GET', `/api/admin/${path}`, { cookie: other.cookie })).status, path).toBe(403);
});
