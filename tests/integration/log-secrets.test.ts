/** Whatever a request brings that proves who somebody is, or that they wrote, the server's own log has none of it. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { sign } from '@tma.js/init-data-node';
import { expect, it } from 'vitest';
import { createLog } from '../../server/log.ts';
import { SANDBOX_BOT_TOKEN } from '../../server/sandbox/settings.ts';
import { ofFile } from '../support/of-file.ts';
import { cookiesOf, type TestServer, testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

let lines: string[] = [];
const log = () => createLog('trace', { write: (line) => void lines.push(line) });
const [server, widget] = await Promise.all([
  ofFile(testServer({ log: log() })),
  ofFile(testServer({ log: log(), env: { TELEGRAM_LOGIN: 'widget' } })),
]);

const MARK = 'planted7c1f';
/** A word that stands nowhere else, as long as a secret. */
const planted = () => `${MARK}${randomUUID().replaceAll('-', '')}`;
/** What was logged while something was done, which tells of each request, and none of the texts. */
async function logged(statuses: readonly number[], act: () => Promise<(string | null)[]>): Promise<void> {
  lines = [];
  const secrets = await act();
  // A line is written once its answer has gone.
  const told = () => lines.flatMap((line) => (line.includes('"msg":"request"') ? [JSON.parse(line).status] : []));
  await expect.poll(told).toEqual(statuses);
  const text = lines.join('');
  for (const secret of [MARK, ...secrets])
    if (secret) for (const form of [secret, encodeURIComponent(secret)]) expect(text).not.toContain(form);
}

const away = (at: TestServer, match: string, mode: '5xx' | 'reset') =>
  at.control('POST', '/faults', { match, mode, count: 1 });
/** The table is not there while something is done: the server has no answer, and writes down why. */
async function without(at: TestServer, table: string, act: () => Promise<unknown>): Promise<void> {
  await at.sql.unsafe(`alter table ${table} rename to ${table}_gone`);
  await act();
  await at.sql.unsafe(`alter table ${table}_gone rename to ${table}`);
}

it('of a Mini App’s initData, taken, refused, too long, or where the server itself fails', async () => {
  const made = (token = SANDBOX_BOT_TOKEN, ageMs = 1_000) =>
    sign(
      { user: { id: 1001, first_name: planted(), username: MARK }, query_id: planted() },
      token,
      new Date(server.runtime.now().getTime() - ageMs),
    );
  const hashOf = (data: string) => new URLSearchParams(data).get('hash');
  await logged([200, 400, 400, 400, 400, 400, 413, 500, 400, 404], async () => {
    const [good, foreign, stale] = [made(), made('1:another'), made(undefined, 3_600_000)];
    const [malformed, long, failing] = [`${made()}&x=%zz`, `${made()}&pad=${'x'.repeat(3_000_000)}`, made()];
    const path = '/api/auth/telegram/mini-app';
    for (const initData of [good, good, foreign, stale, malformed])
      await server.request('POST', path, { body: { initData } });
    const json = { 'content-type': 'application/json' };
    await server.request('POST', path, { raw: `{"initData":"${made()}`, headers: json });
    await server.request('POST', path, { body: { initData: long } });
    await without(server, 'used_signatures', () => server.request('POST', path, { body: { initData: failing } }));
    await server.request('POST', `${path}?tgWebAppData=${encodeURIComponent(failing)}`, { body: {} });
    await server.request('GET', `/api/nothing?tgWebAppData=${encodeURIComponent(failing)}`);
    return [good, foreign, stale, malformed, failing].flatMap((data) => [data, hashOf(data), 'WebAppData']);
  });
});

it('of what the login widget returns', async () => {
  const now = () => Math.floor(widget.runtime.now().getTime() / 1_000);
  const signed = (authDate = now(), token = SANDBOX_BOT_TOKEN) => {
    const fields = { auth_date: authDate, first_name: planted(), id: 1001 };
    const text = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
    const key = createHash('sha256').update(token).digest();
    return { ...fields, hash: createHmac('sha256', key).update(text.join('\n')).digest('hex') };
  };
  const path = '/api/auth/telegram/callback';
  const secrets: (string | null)[] = [];
  const finish = async (result: ReturnType<typeof signed>, state?: string) => {
    const start = await widget.request('GET', '/api/auth/telegram/start');
    const kept = new URL(start.headers.get('location') ?? '').searchParams.get('return_to') ?? '';
    const body = {
      state: state ?? new URL(kept).searchParams.get('state') ?? '',
      result: Buffer.from(JSON.stringify(result)).toString('base64url'),
    };
    secrets.push(body.state, body.result, result.hash);
    return widget.request('POST', path, { body, cookie: cookiesOf(start) });
  };
  await logged([302, 200, 302, 400, 302, 400, 302, 400, 302, 500, 404], async () => {
    await finish(signed());
    await finish(signed(now(), '1:another'));
    await finish(signed(now() - 3_600));
    await finish(signed(), planted());
    await without(widget, 'used_signatures', () => finish(signed()));
    const query = new URLSearchParams(Object.entries(signed()).map(([name, value]) => [name, String(value)]));
    await widget.request('GET', `/api/nothing?${query}`);
    return [...secrets, query.get('hash'), String(query)];
  });
});

it('of the codes, states and verifiers of Telegram’s sign-in and of X, also where they are away', async () => {
  const verifiers = async () =>
    (await server.sql<{ v: string }[]>`select code_verifier as v from sign_in_attempts`).map(({ v }) => v);
  const { clientSecret } = server.runtime.config.telegram;
  const secrets: (string | null)[] = [clientSecret, server.runtime.config.x.clientSecret];
  /** Begins, has the provider approve, and gives where it sends the browser. */
  const approved = async (start: string, cookie: string | null) => {
    const began = await server.request('GET', start, cookie === null ? {} : { cookie });
    const authorize = new URL(began.headers.get('location') ?? '');
    authorize.searchParams.set('person', '1001');
    const back = new URL((await fetch(authorize, { redirect: 'manual' })).headers.get('location') ?? '');
    secrets.push(back.searchParams.get('code'), back.searchParams.get('state'), ...(await verifiers()));
    return { back, held: cookiesOf(began) };
  };
  await logged([302, 302, 302, 503, 302, 503, 302, 400], async () => {
    for (const fault of [null, '5xx', 'reset'] as const) {
      const { back, held } = await approved('/api/auth/telegram/start', null);
      if (fault) await away(server, '/token', fault);
      await server.request('GET', back.pathname + back.search, { cookie: held });
    }
    const { back, held } = await approved('/api/auth/telegram/start', null);
    back.searchParams.set('code', planted());
    await server.request('GET', back.pathname + back.search, { cookie: held });
    return secrets;
  });
  const cookie = await server.signIn(1001);
  const body = ({ searchParams }: URL) => ({ code: searchParams.get('code'), state: searchParams.get('state') });
  await logged([302, 503, 302, 503, 302, 400, 400, 302, 200], async () => {
    for (const fault of ['5xx', 'reset', null] as const) {
      const { back } = await approved('/api/auth/x/start?next=/', cookie);
      if (fault) await away(server, '/token', fault);
      const asked = fault ? body(back) : { ...body(back), code: planted() };
      await server.request('POST', '/api/auth/x/complete', { cookie, body: asked });
    }
    await server.request('POST', '/api/auth/x/complete', { cookie, body: { code: planted(), state: planted() } });
    const { back } = await approved('/api/auth/x/start?next=/&again=checks', cookie);
    await server.request('POST', '/api/auth/x/complete', { cookie, body: body(back) });
    return secrets;
  });
});

it('of the bot’s token and its webhook’s secret, and of what people write, to it and in answers', async () => {
  const { botToken, webhookSecret } = server.runtime.config.telegram;
  const update = (text: string) => ({
    update_id: Math.floor(Math.random() * 1e9),
    message: {
      message_id: 1,
      date: Math.floor(Date.now() / 1_000),
      chat: { id: 1001, type: 'private' },
      from: { id: 1001, is_bot: false, first_name: planted() },
      text,
    },
  });
  const hook = (secret: string | null, body: object) =>
    server.request('POST', '/api/telegram/webhook', { body, headers: { 'x-telegram-bot-api-secret-token': secret } });
  const place = await community(server, (await server.person()).userId);
  const { cookie } = await memberOf(server, place.id, 'member');
  const answer = (text: string) =>
    server.command('POST', `/api/communities/${place.id}/tasks/${place.taskId}/claims`, {
      cookie,
      body: { evidence: { kind: 'submit_text', text } },
    });
  await logged([200, 401, 200, 500, 500, 200, 500], async () => {
    await hook(webhookSecret, update(`/start ${planted()}`));
    await hook(planted(), update(planted()));
    await hook(webhookSecret, { ...update(planted()), update_id: planted() });
    const stubborn = update(`/start ${planted()}`);
    await without(server, 'users', async () => {
      for (let times = 0; times < 3; times += 1) await hook(webhookSecret, stubborn);
    });
    // What a database says of a row that it does not take has the whole row in it.
    await server.sql`update tasks set kind = 'submit_text' where id = ${place.taskId}`;
    await server.sql`alter table claims add constraint none check (evidence->>'text' is null) not valid`;
    await answer(planted());
    await server.sql`alter table claims drop constraint none`;
    return [botToken, webhookSecret];
  });
  // Why, is told all the same: a check was violated.
  expect(lines.join('')).toMatch(
    /"errorCode":"23514".*"constraint_name":"none"|"constraint_name":"none".*"errorCode":"23514"/,
  );
});
