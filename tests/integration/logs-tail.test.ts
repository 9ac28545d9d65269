import { beforeEach, describe, expect, test } from 'vitest';
import { lineOf, printLogs, readLogsOptions } from '../../server/cli/logs.ts';
import type { LogEntry } from '../../server/contract/ops-logs.ts';
import { runRules, sendAlerts } from '../../server/features/client-logs/alerts.ts';
import { deliver } from '../../server/features/client-logs/deliver.ts';
import { logServiceOf } from '../../server/features/client-logs/service.ts';
import type { World } from '../../server/integrations/outward/post.ts';
import { ask, ingested, LOGS, release, send } from '../support/client-logs.ts';
import { ofFile } from '../support/of-file.ts';
import { startReceiver } from '../support/receiver.ts';
import { testServer } from '../support/server.ts';

const server = await ofFile(testServer());
const ops = await server.person({ role: 'ops' });
await release(server, 'old');
// The running build of a test server is `test`; it becomes known here.
await ingested(server);
await release(server, 'new');

beforeEach(() => server.advance(60_000));

describe('the live tail', () => {
  /** Follows and gives what came, until `enough` says so. */
  async function follow(query: Record<string, string>, act: () => Promise<unknown>, enough: (text: string) => boolean) {
    const hangUp = new AbortController();
    const response = await fetch(
      `${server.url.replace('localhost', '127.0.0.1')}${LOGS}/tail?${new URLSearchParams(query)}`,
      { headers: { cookie: ops.cookie }, signal: hangUp.signal },
    );
    expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    let text = '';
    let acted: Promise<unknown> | null = null;
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.includes('event: ready')) acted ??= act();
      if (enough(text)) break;
    }
    hangUp.abort();
    await acted;
    return text;
  }
  const dataOf = (text: string) =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json ?? '') as LogEntry).filter(({ id }) => id);

  test('shows what arrives and matches, as it arrives, and lets go of the database when nobody follows', async () => {
    const text = await follow(
      { q: 'wanted', kind: 'error' },
      async () => {
        await send(server, { data: { message: 'Error: another thing' } });
        await send(server, { kind: 'debug', data: { action: 'wanted tap' } });
        await send(server, { data: { message: 'Error: the Wanted one\nwith a second line\u2028' } });
        await ingested(server);
      },
      (said) => said.includes('second line'),
    );
    expect(dataOf(text).map(({ message }) => message)).toEqual(['Error: the Wanted one with a second line ']);
    await expect
      .poll(
        async () =>
          (
            await server.sql`select from pg_stat_activity where query ilike 'listen%client_log%' and datname = current_database() and state <> 'active' and query not ilike '%unlisten%'`
          ).length,
      )
      .toBe(0);
  });
});

describe('muster logs', () => {
  const printed = async (args: string[], stop: Promise<unknown> = Promise.resolve(), lines: string[] = []) => {
    const options = readLogsOptions(args, server.runtime.now());
    if ('problem' in options) throw new Error(options.problem);
    await printLogs(server.sql, options, {
      print: (line) => lines.push(line),
      note: (line) => lines.push(line),
      now: server.runtime.now(),
      stop,
    });
    return lines;
  };

  test('prints entries one a line, whatever they hold', async () => {
    await send(server, {
      data: { message: 'Error: unmistakable \u001b[31mred\u001b[0m \u202etxt.exe\nsecond\u0007', repeats: 4 },
      agoMs: 7_200_000,
    });
    await send(server, { kind: 'debug', data: { action: 'tapped' } });
    await ingested(server);
    const lines = await printed(['--search', 'unmistakable']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('error Error: unmistakable \\u001b[31mred\\u001b[0m \\u202etxt.exe second\\u0007 ×4');
    expect(lines[0]).toContain('(120 min late)');
    const [json = ''] = await printed(['--search', 'unmistakable', '--json']);
    expect(json).not.toMatch(/\p{Cc}|[\u202a-\u202e]/u);
    expect((JSON.parse(json) as LogEntry).message).toContain('\u001b[31mred');
    expect(await printed(['--since', '30m', '--search', 'unmistakable'])).toEqual([]);
    expect((await printed(['--kind', 'debug'])).every((line) => line.includes(' debug '))).toBe(true);
  });

  test('prints all of the time that was asked for, oldest first', async () => {
    for (let at = 0; at < 210; at += 1)
      await logServiceOf(server.runtime).intake.store(
        [
          {
            id: `many ${at}`,
            type: 'debug',
            data: {
              action: `manifold ${at}`,
              timestamp: new Date(server.runtime.now().getTime() - at * 1_000).toISOString(),
            },
          },
        ],
        { userId: null, userAgent: null, address: null, sentAt: null },
        server.runtime.now(),
      );
    await ingested(server);
    const lines = await printed(['--search', 'manifold']);
    expect(lines.map((line) => / manifold (\d+) /.exec(line)?.[1])).toEqual(
      Array.from({ length: 210 }, (_, at) => String(209 - at)),
    );
  });

  test('goes on with what arrives, and prints each entry once', async () => {
    const lines: string[] = [];
    let stop = () => {};
    const following = printed(['--search', 'following', '--follow'], new Promise<void>((done) => (stop = done)), lines);
    await send(server, { data: { message: 'Error: following 1' } });
    await ingested(server);
    await expect.poll(() => lines.length).toBeGreaterThan(0);
    await send(server, { data: { message: 'Error: following 2' } });
    await ingested(server);
    await expect
      .poll(() => lines.map((line) => /following \d/.exec(line)?.[0]))
      .toEqual(['following 1', 'following 2']);
    stop();
    await following;
  });

  test.each([
    [['--since', 'yesterday'], '--since'],
    [['--kind', 'all'], '--kind'],
    [['--issue', '1'], '--issue'],
    [['--colour'], '--colour'],
  ])('%j is refused by name', (args, name) =>
    expect(readLogsOptions(args, new Date())).toEqual({ problem: expect.stringContaining(name) }),
  );

  test('says who, where and how late', () => {
    const entry = {
      happenedAt: 'T',
      kind: 'debug',
      message: 'm',
      repeats: 1,
      delayMs: 0,
      user: { id: 'x', name: 'Ada\u001b' },
      device: null,
      release: 'r',
      browser: 'Chrome 141',
      route: '/',
    } as LogEntry;
    expect(lineOf(entry, false)).toBe('T debug m  [Ada\\u001b; r Chrome 141 /]');
  });
});

describe('alerts', () => {
  const rule = (more: object = {}) => ({
    name: 'Tell me',
    enabled: true,
    when: { kind: 'new_issue' },
    to: { kind: 'telegram', chatId: '-1001' },
    quiet: null,
    cooldownMinutes: 5,
    ...more,
  });
  const add = async (more: object = {}) =>
    (await server.request('POST', `${LOGS}/rules`, { cookie: ops.cookie, body: rule(more) })).json as { id: string };
  const remove = (id: string) => server.request('DELETE', `${LOGS}/rules/${id}`, { cookie: ops.cookie });
  const told = async () =>
    (
      (await (await fetch(`${server.sandboxUrl}/control/outbox`)).json()) as {
        method: string;
        body: { text: string; chat_id: unknown };
      }[]
    )
      .filter(({ method }) => method === 'sendMessage')
      .map(({ body }) => body.text);
  const alerts = async () =>
    (await ask(server, ops.cookie, '/alerts')).json as {
      title: string;
      state: string;
      ruleId: string;
      error: string | null;
    }[];
  let kinds = 0;
  const fresh = () =>
    `Error: ${['kappa', 'lambda', 'mu', 'nu', 'xi', 'omikron', 'pi', 'rho', 'sigma', 'tau', 'phi', 'chi'][kinds++]} failed`;

  test('of a new issue reach the chat, once; late ones from an old release reach nobody', async () => {
    const { id } = await add();
    const [now, late] = [fresh(), fresh()];
    await send(server, { data: { message: now, release: 'new' } });
    await send(server, { data: { message: now, release: 'new' } });
    await send(server, { data: { message: late, release: 'old' } });
    await ingested(server);
    await sendAlerts(server.runtime);
    await sendAlerts(server.runtime);
    const messages = await told();
    expect(messages.filter((text) => text.includes(now))).toHaveLength(1);
    expect(messages.at(-1)).toMatch(/New issue: .*\n.*\/admin\/client-logs\?issue=[0-9a-f-]{36}$/);
    expect(messages.join()).not.toContain(late);
    expect((await alerts())[0]).toMatchObject({ ruleId: id, state: 'sent' });
    await remove(id);
  });

  test('of a regression tell so; an entry from before the resolution does not', async () => {
    const { id } = await add({ when: { kind: 'regression' } });
    const message = fresh();
    await send(server, { data: { message, release: 'old' } });
    await ingested(server);
    const issue = (await ask(server, ops.cookie, '/issues', { q: message })).json.issues[0].id;
    await server.request('POST', `${LOGS}/issues/${issue}/state`, {
      cookie: ops.cookie,
      body: { state: 'resolved', release: 'new' },
    });
    server.advance(60_000);
    await send(server, { data: { message, release: 'new' }, agoMs: 3_600_000 });
    await send(server, { data: { message, release: 'old' } });
    await ingested(server);
    await sendAlerts(server.runtime);
    expect((await told()).join()).not.toContain(message);
    await send(server, { data: { message, release: 'new' } });
    await ingested(server);
    await sendAlerts(server.runtime);
    expect((await told()).filter((text) => text.includes(`Back again: ${message}`))).toHaveLength(1);
    await remove(id);
  });

  test('wait out a quiet period and are told as one message at its end', async () => {
    const clock = (shiftMinutes: number) =>
      new Date(server.runtime.now().getTime() + shiftMinutes * 60_000).toISOString().slice(11, 16);
    const { id } = await add({ quiet: { from: clock(-60), to: clock(120), timeZone: 'UTC' } });
    const [one, two] = [fresh(), fresh()];
    for (const message of [one, two]) await send(server, { data: { message } });
    await ingested(server);
    await sendAlerts(server.runtime);
    expect((await told()).join()).not.toContain(one);
    expect((await alerts()).slice(0, 2).map(({ state }) => state)).toEqual(['held', 'held']);
    server.advance(121 * 60_000);
    await sendAlerts(server.runtime);
    const message = (await told()).at(-1) ?? '';
    expect([message.includes(one), message.includes(two), message.includes('2 things')]).toEqual([true, true, true]);
    await remove(id);
  });

  test('of a rush, of late replays, of drops, and the week on Monday, each by its numbers', async () => {
    const rules = [
      await add({ name: 'rush', when: { kind: 'rate', minutes: 5, times: 2, minimum: 20 } }),
      await add({ name: 'late', when: { kind: 'replay_delay', minutes: 30 } }),
      await add({ name: 'lost', when: { kind: 'drops', minimum: 10 } }),
      await add({ name: 'digest', when: { kind: 'weekly_digest' } }),
    ];
    server.advance(4 * 3_600_000);
    await runRules(server.runtime);
    /** One chat is told one alert every three seconds. */
    const sendThemAll = async () => {
      for (let turn = 0; turn <= rules.length; turn += 1) {
        server.advance(3_000);
        await sendAlerts(server.runtime);
      }
    };
    const names = async () =>
      (await alerts()).filter(({ ruleId }) => rules.some(({ id }) => id === ruleId)).map(({ title }) => title);
    const isMonday = server.runtime.now().getUTCDay() === 1 && server.runtime.now().getUTCHours() >= 8;
    if (!isMonday) expect(await names()).toEqual([]);
    await send(server, { data: { message: 'Error: a rush', repeats: 500 } });
    await send(server, { kind: 'debug', data: { action: 'a' }, agoMs: 7_200_000, dropped: { debug: 31 } });
    await send(server, { kind: 'debug', data: { action: 'b' }, agoMs: 7_200_000 });
    await ingested(server);
    await runRules(server.runtime);
    const found = await names();
    expect(found).toContainEqual(expect.stringMatching(/^500 errors in 5 minutes/));
    expect(found).toContainEqual(expect.stringMatching(/more than 120 minutes late/));
    expect(found).toContainEqual(expect.stringMatching(/^31 entries lost/));
    const toMonday = (8 - server.runtime.now().getUTCDay()) % 7 || 7;
    server.advance(toMonday * 86_400_000 + (9 - server.runtime.now().getUTCHours()) * 3_600_000);
    await runRules(server.runtime);
    await sendThemAll();
    const digests = async () => (await told()).join('\n').split('Client logs, the last week').length - 1;
    const before = await digests();
    expect(before).toBeGreaterThan(0);
    server.advance(2 * 3_600_000);
    await runRules(server.runtime);
    await sendThemAll();
    expect(await digests()).toBe(before);
    for (const { id } of rules) await remove(id);
  });

  test('that wait for the end of a quiet period are dropped where their rule is turned off', async () => {
    const clock = (shiftMinutes: number) =>
      new Date(server.runtime.now().getTime() + shiftMinutes * 60_000).toISOString().slice(11, 16);
    const quiet = { from: clock(-60), to: clock(120), timeZone: 'UTC' };
    const { id } = await add({ quiet });
    const message = fresh();
    await send(server, { data: { message } });
    await ingested(server);
    await server.request('PUT', `${LOGS}/rules/${id}`, { cookie: ops.cookie, body: rule({ quiet, enabled: false }) });
    server.advance(121 * 60_000);
    await sendAlerts(server.runtime);
    expect((await told()).join()).not.toContain(message);
    await remove(id);
  });

  test('that cannot be delivered are tried again later, say why without a secret, and then fail', async () => {
    const { id } = await add({ to: { kind: 'webhook', url: 'https://127.0.0.1/hook?key=s3cretkey' } });
    await send(server, { data: { message: fresh() } });
    await ingested(server);
    for (let times = 0; times < 6; times += 1) {
      await sendAlerts(server.runtime);
      server.advance(3 * 3_600_000);
    }
    const [alert] = await alerts();
    expect(alert).toMatchObject({ state: 'failed', error: 'the address is not a public one, or not plain https' });
    const shown = (await ask(server, ops.cookie, '/rules')).text;
    expect(shown).not.toContain('s3cretkey');
    // Saving what was shown keeps the secret that was not.
    await server.request('PUT', `${LOGS}/rules/${id}`, {
      cookie: ops.cookie,
      body: rule({ to: { kind: 'webhook', url: 'https://127.0.0.1/hook' } }),
    });
    expect(await server.sql`select channel->>'url' as url from client_log_rules where id = ${id}`).toEqual([
      { url: 'https://127.0.0.1/hook?key=s3cretkey' },
    ]);
    expect((await server.request('POST', `${LOGS}/rules/${id}/test`, { cookie: ops.cookie })).json).toEqual({
      sent: false,
      error: 'the address is not a public one, or not plain https',
    });
    await remove(id);
    const chat = await add();
    expect((await server.request('POST', `${LOGS}/rules/${chat.id}/test`, { cookie: ops.cookie })).json).toEqual({
      sent: true,
      error: null,
    });
    await remove(chat.id);
    expect((await remove(chat.id)).status).toBe(404);
  });

  test.each([
    [{ quiet: { from: '22:00', to: '07:00', timeZone: 'Mars/Base' } }],
    [{ quiet: { from: '22:00', to: '22:00', timeZone: 'UTC' } }],
    [{ to: { kind: 'webhook', url: 'http://example.org' } }],
    [{ to: { kind: 'telegram', chatId: 'x y' } }],
    [{ when: { kind: 'rate', minutes: 1, times: 2, minimum: 1 } }],
    [{ cooldownMinutes: 0 }],
  ])('a rule with %j is refused', async (more) => {
    expect((await server.request('POST', `${LOGS}/rules`, { cookie: ops.cookie, body: rule(more) })).json.reason).toBe(
      'INVALID_INPUT',
    );
  });
});

describe('a webhook', () => {
  const message = { rule: 'r', kind: 'test' as const, title: 'a', text: 'a', url: 'https://muster.example/' };
  const told = (url: string, world?: World) => deliver(server.runtime, { kind: 'webhook', url }, message, world);

  test('gets the message as JSON; a redirect and an error are failures', async () => {
    const hook = await startReceiver();
    await told('https://hooks.example.org/in', hook.world);
    expect(hook.received.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([['/in', message]]);
    hook.answer((response) => response.writeHead(302, { location: '/' }).end());
    await expect(told('https://hooks.example.org/in', hook.world)).rejects.toThrow('it answered 302');
    hook.answer((response) => response.writeHead(500).end());
    await expect(told('https://hooks.example.org/in', hook.world)).rejects.toThrow('it answered 500');
    await hook.close();
  });

  test.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://a:b@example.org/',
    'http://8.8.8.8/',
  ])('%s is never called', async (url) => {
    await expect(told(url)).rejects.toThrow('not a public one');
  });
});
