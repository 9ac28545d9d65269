import { sign } from '@tma.js/init-data-node';
import { describe, expect, it } from 'vitest';
import { SANDBOX_BOT_TOKEN } from '../../server/sandbox/settings.ts';
import { ofFile } from '../support/of-file.ts';
import { cookiesOf, type Reply, testServer } from '../support/server.ts';

const server = await ofFile(testServer({ env: { PUBLIC_ORIGIN: 'https://muster.example' } }));

const initData = (id: number, ageMs = 1_000, token = SANDBOX_BOT_TOKEN) =>
  sign(
    { user: { id, first_name: 'Mini', last_name: 'Person', username: 'mini_person' }, query_id: String(Math.random()) },
    token,
    new Date(server.runtime.now().getTime() - ageMs),
  );
const enter = (data: string, cookie?: string): Promise<Reply> =>
  server.request('POST', '/api/auth/telegram/mini-app', { body: { initData: data }, ...(cookie ? { cookie } : {}) });

describe('signing in from a Mini App', () => {
  it('gives a session of its own kind, in a partitioned cookie that works in Telegram’s frame', async () => {
    const reply = await enter(initData(1001));
    expect(reply.status).toBe(200);
    expect(reply.json).toMatchObject({
      telegramUserId: '1001',
      displayName: 'Mini Person',
      telegramUsername: 'mini_person',
    });
    const [line] = reply.headers.getSetCookie();
    expect(line).toMatch(
      /^__Host-sid-tma=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; Partitioned; SameSite=None$/,
    );
    const user = await server.request('GET', '/api/auth/user', { cookie: cookiesOf(reply) });
    expect(user.json).toEqual(reply.json);
    const [row] = await server.sql`select membership, membership_source from users where telegram_user_id = 1001`;
    expect(row).toEqual({ membership: 'member', membership_source: 'sign-in' });
  });

  it('takes each initData once, also when twenty arrive at once', async () => {
    const data = initData(1002);
    const replies = await Promise.all(Array.from({ length: 20 }, () => enter(data)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    for (const reply of replies.filter((one) => one.status !== 200)) expect(reply.json.reason).toBe('INIT_DATA_USED');
    const [row] = await server.sql`
      select count(*)::int as n from sessions s join users u on u.id = s.user_id where u.telegram_user_id = 1002`;
    expect(row?.['n']).toBe(1);
    server.advance(61_000);
  });

  it('takes it once over two processes', async () => {
    const other = await testServer({
      database: { sql: server.sql, url: '', drop: async () => undefined },
      sandbox: false,
      config: { telegram: server.runtime.config.telegram, publicOrigin: server.runtime.config.publicOrigin },
    });
    const data = initData(1007);
    const replies = await Promise.all(
      [server, other, other, server].map((at) =>
        at.request('POST', '/api/auth/telegram/mini-app', { body: { initData: data } }),
      ),
    );
    await other.close();
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
  });

  it('refuses fields that were added, doubled or changed; their order says nothing', async () => {
    const data = initData(1008);
    for (const changed of [`${data}&role=admin`, `${data}&auth_date=1`, `user=%7B%22id%22%3A1004%7D&${data}`])
      expect((await enter(changed)).json.reason, changed).toBe('INIT_DATA_REFUSED');
    expect((await enter(data.split('&').reverse().join('&'))).status).toBe(200);
  });

  it('is no way to a staff page, whatever the role, nor anything that another site could send', async () => {
    const { cookie } = await server.person({ role: 'admin', session: 'mini_app' });
    for (const path of ['/api/admin/people', '/api/admin/overview', '/api/admin/audit'])
      expect([path, (await server.request('GET', path, { cookie })).status]).toEqual([path, 403]);
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    const reply = await server.request('POST', '/api/auth/logout', { cookie, headers: foreign });
    expect([reply.status, reply.json.reason]).toEqual([403, 'CROSS_SITE']);
    expect((await server.request('GET', '/api/auth/user', { cookie })).status).toBe(200);
  });

  it('takes it once in whatever spelling', async () => {
    const data = initData(1003);
    expect((await enter(data)).status).toBe(200);
    const respelled = data.split('&').reverse().join('&').replaceAll('%7B', '%7b');
    expect((await enter(respelled)).json.reason).toBe('INIT_DATA_USED');
  });

  it('refuses what is stale, early, of another bot or changed, and writes nothing', async () => {
    const [before] =
      await server.sql`select (select count(*)::int from users) as u, (select count(*)::int from sessions) as s`;
    const cases: [string, string][] = [
      [initData(3001, 10 * 60_000 + 2_000), 'STALE'],
      [initData(3001, -62_000), 'FROM_THE_FUTURE'],
      [initData(3001, 1_000, '7000000002:AAAnotherBotsTokenAltogether0000000'), 'WRONG_SIGNATURE'],
      [initData(3001).replace('3001', '3002'), 'WRONG_SIGNATURE'],
      ['user=x', 'WRONG_SIGNATURE'],
      ['%', 'MALFORMED'],
    ];
    for (const [data, problem] of cases) {
      const reply = await enter(data);
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject({ reason: 'INIT_DATA_REFUSED', details: { problem } });
      expect(reply.headers.getSetCookie()).toEqual([]);
    }
    const [after] =
      await server.sql`select (select count(*)::int from users) as u, (select count(*)::int from sessions) as s`;
    expect(after).toEqual(before);
  });

  it('ends the Mini App session before it and leaves the browser’s own session alone', async () => {
    const { cookie: web } = await server.person();
    const first = cookiesOf(await enter(initData(1004)));
    const second = await enter(initData(1004), `${first}; ${web}`);
    expect(second.status).toBe(200);
    const who = (cookie: string) => server.request('GET', '/api/auth/user', { cookie });
    expect((await who(first)).status).toBe(401);
    expect((await who(web)).status).toBe(200);
    expect((await who(cookiesOf(second))).status).toBe(200);
  });

  it('refuses suspended people without spending a session', async () => {
    await server.sql`update users set suspended_at = now() where telegram_user_id = 1003`;
    const reply = await enter(initData(1003));
    expect(reply.status).toBe(403);
    expect(reply.json.reason).toBe('SUSPENDED');
    expect(reply.headers.getSetCookie()).toEqual([]);
  });

  it('signs out with both cookies, the partitioned one from its partition', async () => {
    const cookie = cookiesOf(await enter(initData(1005)));
    const out = await server.request('POST', '/api/auth/logout', { cookie });
    const lines = out.headers.getSetCookie();
    expect(lines.find((line) => line.startsWith('__Host-sid-tma='))).toMatch(/Max-Age=0.*Partitioned; SameSite=None/);
    expect(lines.find((line) => line.startsWith('__Host-sid='))).toMatch(/Max-Age=0/);
    expect((await server.request('GET', '/api/auth/user', { cookie })).status).toBe(401);
  });
});
