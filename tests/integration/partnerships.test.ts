import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  PARTNERSHIP_RETENTION_DAYS,
  PARTNERSHIPS_A_DAY,
  PARTNERSHIPS_WAITING_MAX,
} from '../../server/contract/desk-limits.ts';
import { referenceOf } from '../../server/contract/partnership-reference.ts';
import { Partnership, PartnershipStatus } from '../../server/contract/partnerships.ts';
import { forgetRequests } from '../../server/features/partnerships/requests.ts';
import { ofFile } from '../support/of-file.ts';
import { sampleBody } from '../support/samples.ts';
import { type Reply, testServer } from '../support/server.ts';

const DAY_MS = 86_400_000;

const server = await ofFile(testServer({ sandbox: false, config: { trustedProxies: ['127.0.0.1'] } }));
const admin = await server.person({ role: 'admin', name: 'Maya' });

beforeEach(async () => {
  await server.sql`delete from partnership_requests`;
  server.advance(2 * DAY_MS);
});

let addresses = 0;
const another = () => {
  addresses += 1;
  return `203.0.113.${addresses % 250}`;
};
const body = (change: object = {}) => ({
  ...(sampleBody('PUT /api/partnership-requests/:requestId') as object),
  ...change,
});
type From = { cookie?: string; address?: string; change?: object };
const send = (id: string, { cookie, address = another(), change = {} }: From = {}): Promise<Reply> =>
  server.request('PUT', `/api/partnership-requests/${id}`, {
    body: body(change),
    headers: { 'x-forwarded-for': address },
    ...(cookie === undefined ? {} : { cookie }),
  });
const statusOf = (id: string) => server.request('GET', `/api/partnership-requests/${id}`);
const decide = (id: string, given: object, cookie = admin.cookie) =>
  server.command('POST', `/api/admin/partnership-requests/${id}/state`, { cookie, body: given });
const desk = async (query = '') =>
  (await server.request('GET', `/api/admin/partnership-requests?${query}`, { cookie: admin.cookie })).json as {
    items: Partnership[];
    next: string | null;
    waiting: number;
  };

describe('a request', () => {
  test('of a stranger is stored once however often it is sent, and says what became of it to who holds its id', async () => {
    const id = randomUUID();
    const replies = await Promise.all([send(id), send(id), send(id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const status = PartnershipStatus.parse(replies[0]?.json);
    expect(status).toMatchObject({ id, reference: referenceOf(id), state: 'new', answer: null });
    expect(await server.sql`select user_id from partnership_requests`).toEqual([{ user_id: null }]);
    expect((await statusOf(id)).json).toEqual(status);
    expect((await statusOf(id)).text).not.toContain('fernmap');
    expect((await statusOf(randomUUID())).status).toBe(404);
    expect((await send(id, { change: { name: 'Somebody else' } })).json.reason).toBe('REQUEST_ID_TAKEN');
  });

  test('of a member is theirs, and nobody else lists it', async () => {
    const [one, other] = [await server.person({ name: 'Ada' }), await server.person()];
    const id = randomUUID();
    expect((await send(id, { cookie: one.cookie })).status).toBe(201);
    const own = async (cookie: string) =>
      (await server.request('GET', '/api/user/partnership-requests', { cookie })).json;
    expect(await own(one.cookie)).toMatchObject([{ id, state: 'new' }]);
    expect(await own(other.cookie)).toEqual([]);
    expect((await desk()).items).toMatchObject([{ id, from: { userId: one.userId, displayName: 'Ada' } }]);
  });

  test('whose words are missing, hidden or too long is refused and leaves nothing', async () => {
    for (const change of [
      { name: ' ' },
      { contact: '' },
      { message: 'Short' },
      { kind: 'sponsor' },
      { message: 'x'.repeat(2_001) },
      { name: 'A\u202eda' },
      { extra: true },
    ])
      expect((await send(randomUUID(), { change })).status, JSON.stringify(change)).toBe(400);
    expect(await server.sql`select from partnership_requests`).toHaveLength(0);
  });
});

describe('what requests may cost', () => {
  const countOf = async () => (await server.sql`select from partnership_requests`).length;

  test('one address sends a few a day, and what it sent before is still answered', async () => {
    const address = another();
    const ids = Array.from({ length: PARTNERSHIPS_A_DAY.address + 1 }, () => randomUUID());
    const replies = [];
    for (const id of ids) replies.push(await send(id, { address }));
    expect(replies.map(({ status }) => status)).toEqual([...ids.slice(1).map(() => 201), 429]);
    expect(replies.at(-1)?.json.reason).toBe('PARTNERSHIP_LIMIT');
    expect(Number(replies.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await send(ids[0] ?? '', { address })).status).toBe(200);
    server.advance(DAY_MS);
    expect((await send(ids.at(-1) ?? '', { address })).status).toBe(201);
  });

  test('all strangers together send so many a day, and leave members theirs', async () => {
    const others = (count: number) => server.sql`
      insert into partnership_requests (id, name, organisation, contact, kind, message, created_at, changed_at, state)
      select gen_random_uuid(), 'N', '', 'C', 'other', 'M', ${server.runtime.now()}, ${server.runtime.now()}, 'declined'
      from generate_series(1, ${count})`;
    const address = another();
    await others(PARTNERSHIPS_A_DAY.strangers - 2);
    const replies = [];
    for (let nth = 0; nth < 3; nth += 1) replies.push(await send(randomUUID(), { address }));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 429]);
    // Whose address has sent nothing yet is still heard, until that is too much, too.
    expect((await send(randomUUID())).status).toBe(201);
    await others(PARTNERSHIPS_A_DAY.firsts - PARTNERSHIPS_A_DAY.strangers - 2);
    expect([(await send(randomUUID())).status, (await send(randomUUID())).status]).toEqual([201, 429]);
    const member = await server.person();
    const theirs = [];
    for (let nth = 0; nth <= PARTNERSHIPS_A_DAY.account; nth += 1)
      theirs.push((await send(randomUUID(), { cookie: member.cookie })).status);
    expect(theirs).toEqual([201, 201, 201, 429]);
  });

  test('no more of strangers wait than can be answered', async () => {
    const before = new Date(server.runtime.now().getTime() - 30 * DAY_MS);
    await server.sql`
      insert into partnership_requests (id, name, organisation, contact, kind, message, created_at, changed_at)
      select gen_random_uuid(), 'N', '', 'C', 'other', 'M', ${before}, ${before}
      from generate_series(1, ${PARTNERSHIPS_WAITING_MAX})`;
    expect((await send(randomUUID())).status).toBe(429);
    expect(await countOf()).toBe(PARTNERSHIPS_WAITING_MAX);
  });
});

describe('at the desk', () => {
  test('a request is talked about, then accepted: its sender reads the answer, the note stays at the desk', async () => {
    const id = randomUUID();
    await send(id);
    const talked = await decide(id, { from: 'new', to: 'in_talk', reason: 'Called them' });
    expect(Partnership.parse(talked.json)).toMatchObject({ state: 'in_talk', answer: null });
    const accepted = await decide(id, { from: 'in_talk', to: 'accepted', reason: 'Signed', answer: 'Welcome.' });
    expect(accepted.json.history).toMatchObject([
      { action: 'partnership.accepted', by: 'Maya', note: 'Signed' },
      { action: 'partnership.in_talk', by: 'Maya', note: 'Called them' },
    ]);
    expect((await statusOf(id)).json).toMatchObject({ state: 'accepted', answer: 'Welcome.' });
    expect((await statusOf(id)).text).not.toContain('Signed');
    const audited = await server.sql`
      select action, subject, reason from audit_entries where subject_id = ${id} order by id`;
    // The audit stays: it names the request, not its sender.
    expect(audited.map(({ subject }) => subject)).toEqual([referenceOf(id), referenceOf(id)]);
  });

  test('of two who decide at once the first one counts, and the second is told', async () => {
    const id = randomUUID();
    await send(id);
    const other = await server.person({ role: 'admin' });
    const replies = await Promise.all([
      decide(id, { from: 'new', to: 'declined', reason: 'Spam' }),
      decide(id, { from: 'new', to: 'accepted', reason: 'Fine' }, other.cookie),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.json.reason).toBe('ALREADY_DECIDED');
    const [{ state }] = await server.sql<[{ state: string }]>`select state from partnership_requests`;
    expect((await decide(id, { from: state, to: state, reason: 'Again' })).json.reason).toBe('SAME_STATE');
    expect((await decide(randomUUID(), { from: 'new', to: 'accepted', reason: 'None' })).status).toBe(404);
  });

  test('those that wait come first, the longest waiting at the top, page by page; found by name and reference', async () => {
    const now = server.runtime.now();
    await server.sql`
      insert into partnership_requests (id, name, organisation, contact, kind, message, created_at, changed_at, state)
      select gen_random_uuid(), 'Crowd ' || n, '', 'C', 'other', 'M', ${now}::timestamptz + n * interval '1 s', ${now},
        (array['new','declined'])[n % 2 + 1] from generate_series(1, 120) n`;
    const seen: Partnership[] = [];
    let after = '';
    do {
      const page = await desk(after);
      expect(page.waiting).toBe(60);
      seen.push(...page.items);
      after = page.next === null ? '' : `after=${encodeURIComponent(page.next)}`;
    } while (after !== '');
    expect(seen).toHaveLength(120);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(120);
    expect(seen.slice(0, 60).map(({ name }) => name)).toEqual(
      Array.from({ length: 60 }, (_, n) => `Crowd ${2 * n + 2}`),
    );
    const one = seen[3];
    expect((await desk(`search=${one?.reference}`)).items).toMatchObject([{ id: one?.id }]);
    expect((await desk('search=crowd%20119')).items).toMatchObject([{ name: 'Crowd 119' }]);
    expect((await desk('state=declined&search=crowd%20118')).items).toEqual([]);
  });

  test('a request is deleted when its time is over, whether anybody answered it or not', async () => {
    const [old, fresh] = [randomUUID(), randomUUID()];
    await send(old);
    server.advance((PARTNERSHIP_RETENTION_DAYS - 1) * DAY_MS);
    await send(fresh);
    const left = async () => {
      await forgetRequests(server.sql, server.runtime.now());
      return (await server.sql<{ id: string }[]>`select id from partnership_requests`).map(({ id }) => id);
    };
    expect(await left()).toHaveLength(2);
    server.advance(2 * DAY_MS);
    expect(await left()).toEqual([fresh]);
    expect((await statusOf(old)).status).toBe(404);
  });
});
