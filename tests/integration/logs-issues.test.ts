import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { runRegroup } from '../../server/cli/regroup.ts';
import { EntryDetail, Fleet, IssueDetail, IssueList, LogChoices, Timeline } from '../../server/contract/ops-logs.ts';
import { createGrouper, GROUP_RULES, type GroupRule } from '../../server/features/client-logs/group.ts';
import { cleanLogs } from '../../server/features/client-logs/housekeeping.ts';
import { ingestInbox } from '../../server/features/client-logs/ingest.ts';
import { regroup } from '../../server/features/client-logs/regroup.ts';
import { logServiceOf } from '../../server/features/client-logs/service.ts';
import { ask, ingested, LOGS, release, type Sent, send } from '../support/client-logs.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { community } from '../support/world.ts';

const DAY_MS = 86_400_000;
const CHROME =
  'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0';

const server = await ofFile(testServer({ sandbox: false }));
const ops = await server.person({ role: 'ops', name: 'Ops' });
for (const name of ['old', 'middle', 'new']) await release(server, name);

beforeEach(() => server.advance(60_000));

let words = 0;
/** A message of its own kind, like no other of this file. */
const newKind = () => {
  words += 1;
  return `Error: ${[...String(words)].map((digit) => 'abcdefghij'[Number(digit)]).join('')} went wrong`;
};
const list = async (query: Record<string, string> = {}) =>
  IssueList.parse((await ask(server, ops.cookie, '/issues', query)).json);
const issueOf = async (message: string, state = 'any') => (await list({ q: message, state })).issues[0];
const detail = async (id: string, query: Record<string, string> = {}) =>
  IssueDetail.parse((await ask(server, ops.cookie, `/issues/${id}`, query)).json);
const change = (id: string, body: object) =>
  server.request('POST', `${LOGS}/issues/${id}/state`, { cookie: ops.cookie, body });
async function occurs(message: string, sent: Sent = {}) {
  const id = await send(server, { ...sent, data: { message, ...sent.data } });
  await ingested(server);
  return id;
}

describe('an issue', () => {
  test('counts occurrences and people, and knows when and in which releases it was seen', async () => {
    const message = newKind();
    const people = [await server.person(), await server.person()];
    await occurs(message, { cookie: people[0]?.cookie, data: { release: 'old', repeats: 3 }, agoMs: 3_600_000 });
    await occurs(message, { cookie: people[1]?.cookie, data: { release: 'new' } });
    await occurs(message, { cookie: people[1]?.cookie });
    const issue = await issueOf(message);
    expect(issue).toMatchObject({
      count: 5,
      countAll: 5,
      people: 2,
      firstRelease: 'old',
      lastRelease: 'new',
      state: 'open',
    });
    expect(issue?.trend.reduce((sum, n) => sum + n, 0)).toBe(5);
    expect(Date.parse(issue?.lastSeen ?? '') - Date.parse(issue?.firstSeen ?? '')).toBeGreaterThan(3_500_000);
  });

  test('takes what a device calls its release only for one that this instance ran', async () => {
    const message = newKind();
    const id = await occurs(message, { data: { release: 'made-up' } });
    expect((await ask(server, ops.cookie, `/entries/${id}`)).json).toMatchObject({
      entry: { release: null },
      data: { release: 'made-up' },
    });
  });

  test('shows its latest entry, and any other by its link, with its neighbours', async () => {
    const message = newKind();
    const first = await occurs(message, { agoMs: 2_000 });
    const second = await occurs(message, { agoMs: 1_000 });
    const issue = await issueOf(message);
    const latest = await detail(issue?.id ?? '');
    expect([latest.sample?.entry.id, latest.older, latest.newer]).toEqual([second, first, null]);
    const linked = await detail(issue?.id ?? '', { entry: first });
    expect([linked.sample?.entry.id, linked.older, linked.newer]).toEqual([first, null, second]);
    expect(linked.groups[0]?.why).toMatchObject({ type: 'Error', message: expect.stringContaining('went wrong') });
    expect(latest.history.map(({ what }) => what)).toEqual(['first_seen']);
  });

  test('that is no more, or never was, is a 404', async () => {
    expect((await ask(server, ops.cookie, `/issues/${randomUUID()}`)).status).toBe(404);
    expect((await ask(server, ops.cookie, `/entries/${randomUUID()}`)).status).toBe(404);
    expect((await change(randomUUID(), { state: 'open' })).status).toBe(404);
  });
});

describe('resolved in a release', () => {
  async function resolved(release_ = 'new') {
    const message = newKind();
    await occurs(message, { data: { release: 'old' } });
    const id = (await issueOf(message))?.id ?? '';
    const reply = await change(id, { state: 'resolved', release: release_ });
    expect(reply.json.issue).toMatchObject({ state: 'resolved', resolvedIn: release_ });
    server.advance(60_000);
    return { message, id };
  }

  test('and seen in it again, an issue is back: a regression', async () => {
    const { message, id } = await resolved();
    await occurs(message, { data: { release: 'new' } });
    const { issue, history } = await detail(id);
    expect(issue).toMatchObject({ state: 'open', regression: true, resolvedIn: null });
    expect(history[0]).toMatchObject({ what: 'regressed', detail: 'new' });
  });

  test('resolved in N, seen in N + 1, it is back too', async () => {
    const { message, id } = await resolved('middle');
    await occurs(message, { data: { release: 'new' } });
    expect((await detail(id)).issue.regression).toBe(true);
  });

  test.each<[string, Sent]>([
    ['of an older release', { data: { release: 'old' } }],
    ['that happened before the resolution', { data: { release: 'new' }, agoMs: DAY_MS }],
    ['of an older release that happened long ago', { data: { release: 'middle' }, agoMs: 5 * DAY_MS }],
    ['of a release that nobody knows', { data: { release: 'made-up' } }],
  ])('a late entry %s opens nothing', async (_, sent) => {
    const { message, id } = await resolved();
    await occurs(message, sent);
    const { issue } = await detail(id);
    expect(issue).toMatchObject({ state: 'resolved', regression: false, countAll: 2 });
  });

  test('in the next one, it is back only in a release newer than all of now', async () => {
    const message = newKind();
    await occurs(message);
    const id = (await issueOf(message))?.id ?? '';
    await change(id, { state: 'resolved', release: 'next' });
    server.advance(60_000);
    await occurs(message, { data: { release: 'new' } });
    expect((await detail(id)).issue.state).toBe('resolved');
    await release(server, `later-${words}`);
    await occurs(message, { data: { release: `later-${words}` } });
    expect((await detail(id)).issue).toMatchObject({ state: 'open', regression: true });
  });

  test('a release that this instance never ran cannot be named', async () => {
    const message = newKind();
    await occurs(message);
    expect(
      (await change((await issueOf(message))?.id ?? '', { state: 'resolved', release: 'tomorrow' })).json.reason,
    ).toBe('INVALID_INPUT');
  });
});

describe('ignored', () => {
  async function ignored(until: object) {
    const message = newKind();
    await occurs(message);
    const id = (await issueOf(message))?.id ?? '';
    expect((await change(id, { state: 'ignored', until })).json.issue).toMatchObject({
      state: 'ignored',
      ignoredUntil: until,
    });
    const state = async () => (await detail(id)).issue.state;
    return { message, state };
  }

  test('for ever, it stays so', async () => {
    const { message, state } = await ignored({ kind: 'forever' });
    await occurs(message);
    expect(await state()).toBe('ignored');
  });

  test('until so many more', async () => {
    const { message, state } = await ignored({ kind: 'count', count: 2 });
    await occurs(message);
    expect(await state()).toBe('ignored');
    await occurs(message);
    expect(await state()).toBe('open');
  });

  test('until so many more people', async () => {
    const { message, state } = await ignored({ kind: 'people', people: 1 });
    await occurs(message);
    expect(await state()).toBe('ignored');
    await occurs(message, { cookie: (await server.person()).cookie });
    expect(await state()).toBe('open');
  });

  test('until a new release', async () => {
    const { message, state } = await ignored({ kind: 'release' });
    await occurs(message, { data: { release: 'new' } });
    expect(await state()).toBe('ignored');
    await release(server, `newer-${words}`);
    await occurs(message, { data: { release: `newer-${words}` } });
    expect(await state()).toBe('open');
  });

  test('until a time, which comes by itself', async () => {
    const { state } = await ignored({
      kind: 'time',
      at: new Date(server.runtime.now().getTime() + 3_600_000).toISOString(),
    });
    await cleanLogs(server.runtime);
    expect(await state()).toBe('ignored');
    server.advance(3_700_000);
    await cleanLogs(server.runtime);
    expect(await state()).toBe('open');
  });
});

describe('merging and splitting', () => {
  test('makes one of two, entries and counts with it, and two of one again', async () => {
    const [left, right] = [newKind(), newKind()];
    const who = await server.person();
    for (const message of [left, right, right]) await occurs(message, { cookie: who.cookie });
    const [a, b] = [(await issueOf(left))?.id ?? '', (await issueOf(right))?.id ?? ''];
    const merged = await server.request('POST', `${LOGS}/issues/${a}/merge`, {
      cookie: ops.cookie,
      body: { issueIds: [b] },
    });
    expect(merged.json.issue).toMatchObject({ id: a, countAll: 3, people: 1 });
    expect((await ask(server, ops.cookie, `/issues/${b}`)).status).toBe(404);
    expect((await ask(server, ops.cookie, '/entries', { issue: a })).json.entries).toHaveLength(3);
    await occurs(right);
    expect((await detail(a)).issue.countAll).toBe(4);

    const groups = (await detail(a)).groups;
    const out = groups.find(({ why }) => right.includes(why.message));
    const split = await server.request('POST', `${LOGS}/issues/${a}/split`, {
      cookie: ops.cookie,
      body: { groupIds: [out?.id] },
    });
    expect(split.json.issue).toMatchObject({ countAll: 3, title: right });
    expect((await detail(a)).issue.countAll).toBe(1);
    expect((await detail(a)).history.map(({ what }) => what)).toEqual(['split', 'merged', 'first_seen']);
  });

  test('leaves no issue without a group, and takes none of another issue', async () => {
    const message = newKind();
    await occurs(message);
    const id = (await issueOf(message))?.id ?? '';
    const groupIds = (await detail(id)).groups.map((group) => group.id);
    const split = (ids: string[]) =>
      server.request('POST', `${LOGS}/issues/${id}/split`, { cookie: ops.cookie, body: { groupIds: ids } });
    expect((await split(groupIds)).json.reason).toBe('INVALID_INPUT');
    expect((await split(['999999'])).json.reason).toBe('INVALID_INPUT');
    const self = await server.request('POST', `${LOGS}/issues/${id}/merge`, {
      cookie: ops.cookie,
      body: { issueIds: [id] },
    });
    expect(self.json.reason).toBe('INVALID_INPUT');
  });
});

describe('a new rule of grouping', () => {
  const second: GroupRule = {
    version: 2,
    // By the first word alone.
    why: (said) => ({ type: said.type, message: said.text.split(' ')[0] ?? '', frames: [] }),
  };
  const rules = [second, ...GROUP_RULES];
  const group = createGrouper(() => ({
    original: false,
    inApp: false,
    function: null,
    file: null,
    line: null,
    column: null,
    code: null,
  }));

  test('splits and joins nothing by itself, says first what it would do, and does it when told', async () => {
    const other = await testServer({ sandbox: false });
    const boss = await other.person({ role: 'ops' });
    const messages = ['Error: alpha one', 'Error: alpha two', 'Error: beta'];
    for (const message of messages) await send(other, { data: { message } });
    await ingested(other);
    const issues = async () =>
      IssueList.parse((await ask(other, boss.cookie, '/issues')).json)
        .issues.map(({ title, countAll }) => `${title} ${countAll}`)
        .sort();
    expect(await issues()).toEqual(['Error: alpha one 1', 'Error: alpha two 1', 'Error: beta 1']);

    // The new rule runs: the same errors go where they went.
    for (const message of messages) await send(other, { data: { message } });
    const { sql, now, build } = other.runtime;
    await ingestInbox({ sql, now, build, group, rules, releases: logServiceOf(other.runtime).releases });
    expect((await issues()).length).toBe(3);

    const input = { group, rules, by: boss.userId, at: now() };
    const before = await issues();
    const dry = await regroup(sql, { ...input, apply: false });
    expect(dry).toMatchObject({ applied: false, version: 2, groups: 3, unchanged: 1 });
    expect(dry.joins.map(({ titles }) => titles.sort())).toEqual([['Error: alpha one', 'Error: alpha two']]);
    expect(await issues()).toEqual(before);

    const told = { home: other.runtime.config.home, at: now(), rules };
    expect(await runRegroup(sql, { ...told, apply: false })).toMatch(
      /^3 groups .*version 2.*\n {2}would become one: “Error: alpha \w+”, “Error: alpha \w+”\n {2}unchanged: 1 issues\nNothing was changed\..*--apply$/s,
    );
    expect(await issues()).toEqual(before);

    const done = await regroup(sql, { ...input, apply: true });
    expect(done.applied).toBe(true);
    expect((await issues()).length).toBe(2);
    expect(await regroup(sql, { ...input, apply: false })).toMatchObject({ groups: 0, joins: [], parts: [] });
    expect(await runRegroup(sql, { ...told, apply: true })).toMatch(/^Every group uses the current rules/);
    await other.close();
  });
});

describe('the list', () => {
  test('is filtered by what its entries have, searched by what it says, and paged in any order', async () => {
    const place = await community(server, ops.userId);
    const message = newKind();
    await occurs(message, {
      userAgent: FIREFOX,
      data: {
        source: 'window.error',
        displayMode: 'standalone',
        connection: { effectiveType: '3g' },
        url: `https://x.example/community/${place.slug}/dashboard`,
        offlineSince: new Date(server.runtime.now().getTime() - 60_000).toISOString(),
      },
    });
    await occurs(newKind(), { userAgent: CHROME });
    const titles = async (query: Record<string, string>) => (await list(query)).issues.map(({ title }) => title);
    for (const query of [
      { engine: 'firefox' },
      { browser: 'Firefox 144' },
      { display: 'standalone' },
      { connection: '3g' },
      { community: place.id },
      { community: place.slug },
      { route: '/community/{communityId}/dashboard' },
      { offline: 'yes' },
      { source: 'window.error' },
    ] as Record<string, string>[])
      expect([query, await titles(query)]).toEqual([query, [message]]);
    expect(await titles({ engine: 'firefox', display: 'browser' })).toEqual([]);
    expect(await titles({ q: message.slice(7).toUpperCase() })).toEqual([message]);
    expect(await titles({ q: '%' })).toEqual([]);
    expect(await titles({ kind: 'debug' })).toEqual([]);
    expect(
      (await ask(server, ops.cookie, '/issues', { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' })).json
        .reason,
    ).toBe('INVALID_INPUT');

    for (const sort of ['last', 'first', 'count', 'people']) {
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const page: IssueList = await list({ state: 'any', sort, limit: '3', ...(cursor === null ? {} : { cursor }) });
        seen.push(...page.issues.map(({ id }) => id));
        cursor = page.next;
      } while (cursor !== null);
      const all = await list({ state: 'any', limit: '200' });
      expect([sort, new Set(seen).size]).toEqual([sort, all.issues.length]);
      expect(seen).toHaveLength(all.issues.length);
      const { states } = all;
      expect(states.open + states.resolved + states.ignored).toBe(all.issues.length);
    }
    expect((await ask(server, ops.cookie, '/issues', { cursor: 'bm9uc2Vuc2U' })).json.reason).toBe('INVALID_INPUT');
    const choices = LogChoices.parse((await ask(server, ops.cookie, '/choices')).json);
    expect(choices.browser).toContainEqual({ value: 'Firefox 144', count: 1 });
    expect(choices.community).toEqual([{ value: place.slug, count: 1 }]);
  });

  test('its bars add up, by hours and by minutes, with one filter and with several', async () => {
    const message = newKind();
    const who = await server.person();
    for (const agoMs of [0, 60_000, 26 * 3_600_000])
      await occurs(message, { agoMs, cookie: who.cookie, userAgent: FIREFOX, data: { release: 'middle', repeats: 2 } });
    const sum = async (query: Record<string, string>) => {
      const { bars } = (await ask(server, ops.cookie, '/histogram', query)).json as { bars: { error: number }[] };
      return bars.reduce((total, bar) => total + bar.error, 0);
    };
    const now = server.runtime.now().getTime();
    const ago = (ms: number) => new Date(now - ms).toISOString();
    const id = (await issueOf(message))?.id ?? '';
    expect(await sum({ issue: id, from: ago(3 * DAY_MS) })).toBe(6);
    expect(await sum({ issue: id, from: ago(3 * 3_600_000) })).toBe(4);
    expect(await sum({ user: who.userId, from: ago(3 * DAY_MS) })).toBe(6);
    expect(await sum({ issue: id, engine: 'firefox', release: 'middle', from: ago(3 * DAY_MS) })).toBe(6);
    expect(await sum({ issue: id, engine: 'chromium', from: ago(3 * DAY_MS) })).toBe(0);
    const hourly = await sum({ release: 'middle', from: ago(7 * DAY_MS) });
    expect(hourly).toBe(await sum({ release: 'middle', q: 'wrong', from: ago(7 * DAY_MS) }));
  });
});

describe('one entry', () => {
  test('brings its breadcrumbs in order, the right offline time, delay and skew, and the holes before it', async () => {
    const { cookie, userId } = await server.person({ name: 'Mira' });
    const behindMs = 30 * 60_000;
    const now = server.runtime.now().getTime();
    // The phone's clock is half an hour behind, and it was offline for ten minutes when it broke, an hour ago.
    const device = (agoMs: number) => new Date(now - behindMs - agoMs).toISOString();
    const [crumb, error] = [randomUUID(), randomUUID()];
    const body = {
      sentAt: device(0),
      dropped: { error: 0, debug: 4 },
      entries: [
        {
          id: randomUUID(),
          type: 'debug',
          data: { action: 'opened', timestamp: device(3_720_000), sequence: 10, deviceId: 'phone-1' },
        },
        {
          id: crumb,
          type: 'debug',
          data: {
            action: 'tapped',
            data: { button: 'claim' },
            timestamp: device(3_601_000),
            sequence: 11,
            deviceId: 'phone-1',
          },
        },
        {
          id: error,
          type: 'error',
          data: {
            message: newKind(),
            timestamp: device(3_600_000),
            offlineSince: device(4_200_000),
            sequence: 15,
            deviceId: 'phone-1',
            breadcrumbs: [
              { at: device(3_660_000), message: 'went offline' },
              { at: device(3_601_000), message: 'tapped' },
            ],
          },
        },
      ],
    };
    await server.request('POST', '/api/debug/client-logs/batch', { body, cookie });
    await ingested(server);
    const found = EntryDetail.parse((await ask(server, ops.cookie, `/entries/${error}`)).json);
    expect(found.entry).toMatchObject({
      user: { id: userId, name: 'Mira' },
      sequence: 15,
      offlineMs: 600_000,
      device: 'phone-1',
    });
    expect(Math.abs(found.entry.delayMs - 3_600_000)).toBeLessThan(2_000);
    expect(Math.abs((found.skewMs ?? 0) - behindMs)).toBeLessThan(2_000);
    expect(found.breadcrumbs.map(({ message }) => message)).toEqual(['opened', 'went offline', 'tapped']);
    expect(found.breadcrumbs.at(-1)).toMatchObject({ entryId: crumb, data: { button: 'claim' }, offsetMs: -1_000 });
    expect(found.gap).toEqual({ missingBefore: 3, dropped: 4 });
    expect(found.address).toBe('127.0.0.0/24');
    expect(found.asText).toContain('offline for 10 min');

    const timeline = Timeline.parse((await ask(server, ops.cookie, '/timeline', { user: userId })).json);
    expect(timeline.person).toEqual({ id: userId, name: 'Mira' });
    expect(timeline.items.map(({ kind }) => kind)).toEqual(['dropped', 'entry', 'gap', 'entry', 'entry']);
    const byDevice = Timeline.parse(
      (await ask(server, ops.cookie, '/timeline', { device: 'phone-1', limit: '2' })).json,
    );
    expect(byDevice.next).not.toBeNull();
    expect((await ask(server, ops.cookie, '/timeline')).json.reason).toBe('INVALID_INPUT');
  });

  test('is led up to by what its own device told of its own session, and by nobody else', async () => {
    const [mine, other] = [await server.person(), await server.person()];
    const message = newKind();
    const tell = (
      action: string,
      of: { deviceId?: string; visit?: string },
      cookie = mine.cookie,
      userAgent = CHROME,
    ) =>
      send(server, {
        kind: 'debug',
        agoMs: 2_000,
        cookie,
        userAgent,
        data: {
          action,
          ...(of.deviceId && { deviceId: of.deviceId }),
          ...(of.visit && { context: { visit: of.visit } }),
        },
      });
    await tell('of this page', { deviceId: 'phone-7', visit: 'page-1' });
    await tell('of its worker', { deviceId: 'phone-7' });
    await tell('of another page', { deviceId: 'phone-7', visit: 'page-2' });
    await tell('of another person here', { deviceId: 'phone-7', visit: 'page-1' }, other.cookie);
    await tell('of their computer', { deviceId: 'laptop-7', visit: 'page-3' });
    await tell('of no device', {});
    await tell('of no device, elsewhere', {}, mine.cookie, FIREFOX);
    const trailOf = async (data: object) => {
      const id = await occurs(message, { cookie: mine.cookie, userAgent: CHROME, data });
      const found = EntryDetail.parse((await ask(server, ops.cookie, `/entries/${id}`)).json);
      return found.breadcrumbs.flatMap(({ kind, message: said }) => (kind === 'debug' ? [said] : [])).sort();
    };
    expect(await trailOf({ deviceId: 'phone-7', context: { visit: 'page-1' } })).toEqual([
      'of its worker',
      'of this page',
    ]);
    expect(await trailOf({})).toEqual(['of no device']);
    // A worker's own error is led up to by all pages of its device.
    expect(await trailOf({ deviceId: 'phone-7' })).toEqual(['of another page', 'of its worker', 'of this page']);
    expect(await trailOf({ deviceId: 'phone-7', context: { visit: 'page-\u0000' } })).toEqual(['of its worker']);
  });

  test('a count of the lost comes once, however often its batch is sent', async () => {
    const { cookie, userId } = await server.person();
    const body = {
      sentAt: server.runtime.now().toISOString(),
      dropped: 7,
      entries: [{ id: randomUUID(), type: 'debug', data: { action: 'tap' } }],
    };
    for (let times = 0; times < 3; times += 1)
      await server.request('POST', '/api/debug/client-logs/batch', { body, cookie });
    const rows = await server.sql`select errors from client_log_drops where user_id = ${userId}`;
    expect(rows).toEqual([{ errors: 7 }]);
  });
});

test('the fleet is counted by device and day', async () => {
  const other = await testServer({ sandbox: false });
  const boss = await other.person({ role: 'ops' });
  await release(other, 'known');
  await send(other, {
    userAgent: FIREFOX,
    data: { deviceId: 'a', release: 'known', pushPermission: 'granted', storage: { kind: 'memory', reason: 'full' } },
  });
  await send(other, { userAgent: FIREFOX, data: { deviceId: 'a', online: false }, kind: 'debug', agoMs: 60_000 });
  await send(other, { userAgent: CHROME, data: { deviceId: 'b' } });
  await ingested(other);
  const fleet = Fleet.parse((await ask(other, boss.cookie, '/fleet')).json);
  expect(fleet).toMatchObject({
    devices: 2,
    offlineShare: 0.5,
    engine: [
      { value: 'chromium', count: 1 },
      { value: 'firefox', count: 1 },
    ],
    push: [{ value: 'granted', count: 1 }],
    storage: [{ value: 'full', count: 1 }],
    kept: { today: 3, waiting: 0, groups: 1 },
  });
  expect(fleet.adoption.map(({ value, devices }) => [value, devices])).toEqual(
    expect.arrayContaining([
      ['known', 1],
      ['unknown', 1],
    ]),
  );
  await other.close();
});

describe('what nothing may stop: sorting, and the work beside it', () => {
  test('an error whose words are cut within a character', async () => {
    const message = `Error: ${'a'.repeat(299)}🎈 and more`;
    await occurs(message);
    expect((await server.sql`select from client_log_inbox`).length).toBe(0);
    expect(await issueOf('aaaaaaaa')).toMatchObject({ count: 1 });
  });

  test('counts that are full', async () => {
    const message = newKind();
    await occurs(message);
    await server.sql`update client_log_hours set count = 2147483000`;
    await server.sql`update client_log_days set count = 2147483000`;
    await server.sql`update client_log_series set errors = 2147483000, debugs = 2147483000`;
    await occurs(message, { data: { repeats: 10_000 } });
    await send(server, { kind: 'debug', data: { action: 'tap', repeats: 10_000 } });
    await ingested(server);
    expect((await server.sql`select from client_log_inbox`).length).toBe(0);
    const [row] = await server.sql`select max(count) as count from client_log_hours`;
    expect(row).toEqual({ count: 2_147_483_647 });
  });

  test('a time that is on no calendar is refused, not kept', async () => {
    const message = newKind();
    await occurs(message);
    const { id = '' } = (await issueOf(message)) ?? {};
    for (const at of ['2026-02-30T10:00:00Z', '2026-13-01T10:00:00Z', '2026-11-24T25:00Z', '0000-01-01T00:00:00Z'])
      expect([at, (await change(id, { state: 'ignored', until: { kind: 'time', at } })).status]).toEqual([at, 400]);
    for (const from of ['0000-01-01T00:00:00Z', '2026-02-30T10:00:00Z', '9999-12-31T23:59:59-14:00'])
      expect([from, (await ask(server, ops.cookie, '/entries', { from })).status]).toEqual([from, 400]);
    await cleanLogs(server.runtime);
  });
});
