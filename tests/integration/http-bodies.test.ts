import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { JSON_BODY_BYTES } from '../../server/contract/limits.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, type RouteUnderTest, sampleBody } from '../support/samples.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const server = await ofFile(testServer());
const founder = await server.person();
const place = await community(server, founder.userId);
const hidden = await community(server, founder.userId, { visibility: 'private' });
/** `Cookie` headers by who they are of. */
const people = {
  stranger: (await server.person()).cookie,
  member: (await memberOf(server, place.id, 'member')).cookie,
  leader: (await memberOf(server, place.id, 'leader')).cookie,
  suspended: (await server.person({ suspended: true })).cookie,
};

const taking = ALL_ROUTES.filter(
  ({ key, declaration }) => declaration.bodyTypes !== undefined || sampleBody(key) !== undefined,
);

/** Begins a request with the route's largest body and sends no byte of it; gives the status of what is answered. */
async function begun(route: RouteUnderTest, cookie: string | null, communityId: string): Promise<number> {
  const { bodyTypes, bodyBytes = JSON_BODY_BYTES } = route.declaration;
  const socket = connect(server.runtime.config.port, '127.0.0.1');
  const lines = [
    `${route.method} ${fill(route.path, { ...idsOfNothing(), taskId: place.taskId, communityId })}${queryOf(route.path)} HTTP/1.1`,
    'Host: localhost',
    'Sec-Fetch-Site: same-origin',
    `Content-Type: ${bodyTypes?.[0] ?? 'application/json'}`,
    `Content-Length: ${bodyBytes}`,
    `Idempotency-Key: ${randomUUID()}`,
    ...(cookie === null ? [] : [`Cookie: ${cookie}`]),
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer))?.[1]);
}

describe.each(taking.filter(({ declaration }) => declaration.access !== 'public'))('$key', (route) => {
  const { access } = route.declaration;

  test('answers who may not call it before a byte of the body has come', async () => {
    expect(await begun(route, null, place.id)).toBe(401);
    if (access === 'telegram') return;
    expect(await begun(route, people.suspended, place.id)).toBe(403);
    if (route.path.includes(':communityId')) expect(await begun(route, people.stranger, hidden.id)).toBe(404);
    if (['member', 'moderator', 'leader'].includes(access)) {
      expect(await begun(route, people.stranger, place.id)).toBe(403);
    }
    if (access === 'moderator' || access === 'leader') expect(await begun(route, people.member, place.id)).toBe(403);
    if (access === 'ops' || access === 'admin') expect(await begun(route, people.leader, place.id)).toBe(403);
  });
});

test('a route that is called too often answers before a byte of the body has come', async () => {
  const route = taking.find(({ key }) => key === 'POST /api/communities/:communityId/imports');
  if (!route) throw new Error('there is no such route');
  const { cookie, userId } = await memberOf(server, place.id, 'leader');
  const now = server.runtime.now();
  await server.sql`
    insert into rate_limits (key, window_start, count)
    values (${`${userId} ${route.key}`}, date_trunc('minute', ${now}::timestamptz), 1000)`;
  expect(await begun(route, cookie, place.id)).toBe(429);
});

test('a file is known by its bytes and by what is asked of it: sent again under its key it is one import', async () => {
  const { cookie, userId } = await memberOf(server, place.id, 'leader');
  const key = randomUUID();
  const send = (text: string, name: string, as = key) =>
    server.request('POST', `/api/communities/${place.id}/imports?kind=people&name=${name}`, {
      cookie,
      raw: text,
      headers: { 'content-type': 'text/csv', 'idempotency-key': as },
    });
  const FILE = 'telegram,points\nmira_o,40\n';
  const first = await send(FILE, 'a.csv');
  expect([first.status, first.json.count]).toEqual([201, 1]);
  const again = await send(FILE, 'a.csv');
  expect([again.json, again.headers.get('idempotency-replayed')]).toEqual([first.json, 'true']);
  expect((await send(FILE.replace('40', '41'), 'a.csv')).json.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await send(FILE, 'b.csv')).json.reason).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await send(FILE, 'b.csv', randomUUID())).json.id).not.toBe(first.json.id);
  // Who leads no more is told what came of it, and of nothing else.
  await server.sql`update community_members set role = 'member' where user_id = ${userId}`;
  expect((await send(FILE, 'a.csv')).json).toEqual(first.json);
  expect((await send(FILE, 'c.csv', randomUUID())).json.reason).toBe('NOT_ALLOWED');
});

test('a file in UTF-16 with its mark is read, and what no database keeps is marked', async () => {
  const { cookie } = await memberOf(server, place.id, 'leader');
  const check = async (raw: Uint8Array<ArrayBuffer>) =>
    (
      await server.request('POST', `/api/communities/${place.id}/imports/check?kind=people&name=a.csv`, {
        cookie,
        raw,
        headers: { 'content-type': 'text/csv' },
      })
    ).json;
  const text = '\ufefftelegram,name,points\nmira_o,Áé\0,40\n';
  const wide = new Uint8Array(Buffer.from(text, 'utf16le'));
  for (const bytes of [wide, new TextEncoder().encode(text)]) {
    expect(await check(bytes)).toMatchObject({ ready: 1, points: 40, columns: [{}, { samples: ['Áé\ufffd'] }, {}] });
  }
});

test('a file whose letters nobody can tell is not moved in before somebody says how they are written', async () => {
  const { cookie } = await memberOf(server, place.id, 'leader');
  const raw = new Uint8Array([
    ...Buffer.from('telegram,name,points\nanya_s,'),
    0xc0,
    0xed,
    0xff,
    ...Buffer.from(',40\n'),
  ]);
  const send = (end: string, encoding = '') =>
    server.request('POST', `/api/communities/${place.id}/imports${end}?kind=people&name=a.csv${encoding}`, {
      cookie,
      raw,
      headers: { 'content-type': 'text/csv', 'idempotency-key': randomUUID() },
    });
  const { json } = await send('/check');
  expect(json).toMatchObject({
    ready: 0,
    letters: { read: null },
    findings: [{ problem: 'letters_unknown', lines: [2] }],
  });
  expect(json.letters.offered[0]).toEqual({ encoding: 'windows-1251', sample: 'anya_s,Аня,40' });
  expect((await send('')).json.reason).toBe('IMPORT_NOTHING');
  const said = await send('/check', '&encoding=windows-1251');
  expect(said.json).toMatchObject({ ready: 1, findings: [], columns: [{}, { samples: ['Аня'] }, {}] });
  expect((await send('', '&encoding=utf-7')).status).toBe(400);
});

test('what is larger than a route takes is answered before a byte of it has come', async () => {
  for (const route of taking.filter(({ declaration }) => declaration.access === 'leader')) {
    const larger = {
      ...route,
      declaration: { ...route.declaration, bodyBytes: (route.declaration.bodyBytes ?? JSON_BODY_BYTES) + 1 },
    };
    expect([route.key, await begun(larger, people.leader, place.id)]).toEqual([route.key, 413]);
  }
});

test('an update of a shape that Telegram may send tomorrow is passed over with success, and is not sent again', async () => {
  const { webhookSecret } = server.runtime.config.telegram;
  const send = (raw: string, secret = webhookSecret) =>
    server.request('POST', '/api/telegram/webhook', {
      raw,
      headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    });
  const update = (more: object) => JSON.stringify({ update_id: 7, ...more });
  const shapes = [
    update({ message: { message_id: 'one' } }),
    update({ message: [] }),
    update({ chat_member: { chat: 7 } }),
    update({ checklist_done: { constructor: 1 } }),
    update({ message: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
    update({ poll: Array(20_000).fill(0) }),
    JSON.stringify({ update_id: 'next' }),
    'no JSON',
  ];
  for (const raw of shapes)
    expect([raw.slice(0, 60), await send(raw)]).toMatchObject([raw.slice(0, 60), { status: 200, json: { ok: true } }]);
  expect((await send(shapes[0] ?? '', 'another')).status).toBe(401);
  expect(await server.sql`select from bot_updates`).toHaveLength(0);
});
