import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { actionWord } from '../../app/features/ops/people/action-words.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, sampleBody } from '../support/samples.ts';
import { type Reply, testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

const server = await ofFile(testServer({ sandbox: false }));
const admin = await server.person({ role: 'admin', name: 'Maya' });

// Some commands may be given a few times a minute only.
beforeEach(() => server.advance(60_000));

const commands = ALL_ROUTES.filter(({ method, declaration: { access } }) => method !== 'GET' && access === 'admin');
type Ready = { params?: Record<string, string>; body?: unknown };

async function act(key: string, { params = {}, body = sampleBody(key) }: Ready = {}): Promise<Reply> {
  const [method = '', path = ''] = key.split(' ');
  const reply = await server.command(method, fill(path, params), { cookie: admin.cookie, body });
  expect(reply.status, `${key} ${reply.text}`).toBeLessThan(300);
  return reply;
}

const somebody = async (options = {}) => ({ params: { userId: (await server.person(options)).userId } });
const place = async () => ({ params: { placeId: (await community(server, admin.userId)).id } });
const later = async () => {
  const sendAt = new Date(server.runtime.now().getTime() + 3_600_000).toISOString();
  const body = { title: 'Later', body: 'Then', sendAt, audience: {} };
  return { params: { campaignId: (await act('POST /api/admin/campaigns', { body })).json.id } };
};
const PEOPLE = '/api/admin/people/:userId';
const PLACES = '/api/admin/communities/:placeId';

/** What has to be there before a command can be done. Commands that need nothing stand here too: none is forgotten. */
const READY: Record<string, () => Promise<Ready> | Ready> = {
  [`POST ${PEOPLE}/suspension`]: () => somebody(),
  [`POST ${PEOPLE}/restoration`]: () => somebody({ suspended: true }),
  [`POST ${PEOPLE}/sign-out`]: () => somebody(),
  [`POST ${PEOPLE}/x`]: () => somebody({ verified: false }),
  [`POST ${PEOPLE}/x-link`]: () => somebody(),
  [`PUT ${PLACES}/x-budget`]: place,
  'PUT /api/admin/switches/x-points': () => ({}),
  [`PUT ${PEOPLE}/role`]: () => somebody(),
  [`POST ${PEOPLE}/archive`]: () => somebody(),
  [`POST ${PEOPLE}/erasure`]: () => somebody(),
  [`POST ${PEOPLE}/erasure-cancellation`]: async () => {
    const ready = await somebody();
    await act(`POST ${PEOPLE}/erasure`, ready);
    return ready;
  },
  [`POST ${PEOPLE}/sessions/:sessionId/end`]: async () => {
    const { params } = await somebody();
    const [session] = await server.sql<{ id: string }[]>`select id from sessions where user_id = ${params.userId}`;
    return { params: { ...params, sessionId: session?.id ?? '' } };
  },
  'POST /api/admin/leader-applications/:applicationId/decision': async () => {
    const { params } = await somebody();
    const [made] = await server.sql<{ id: string }[]>`
      insert into leader_applications (user_id, about, plan) values (${params.userId}, 'About', 'Plan') returning id`;
    return { params: { applicationId: made?.id ?? '' } };
  },
  'PUT /api/admin/instance-board': async () => ({
    body: { communityId: (await place()).params.placeId, counts: true, reason: 'Plays fair' },
  }),
  'POST /api/admin/campaigns': () => ({}),
  'POST /api/admin/campaigns/test': () => ({}),
  'PUT /api/admin/campaigns/:campaignId': later,
  'POST /api/admin/campaigns/:campaignId/cancellation': later,
  [`POST ${PLACES}/suspension`]: place,
  [`POST ${PLACES}/restoration`]: async () => ({
    params: { placeId: (await community(server, admin.userId, { status: 'suspended' })).id },
  }),
  [`POST ${PLACES}/handover`]: async () => {
    const { params } = await place();
    const { userId } = await memberOf(server, params.placeId, 'member');
    return { params, body: { userId, others: 'stay', reason: 'Its leader is gone' } };
  },
  [`PUT ${PLACES}/featured`]: place,
  [`PUT ${PLACES}/large-imports`]: place,
  'POST /api/admin/partnership-requests/:requestId/state': async () => {
    const requestId = randomUUID();
    const path = `/api/partnership-requests/${requestId}`;
    await server.request('PUT', path, { body: sampleBody('PUT /api/partnership-requests/:requestId') });
    return { params: { requestId } };
  },
};

test('every command of administrators is tried here', () => {
  expect(Object.keys(READY).sort()).toEqual(commands.map(({ key }) => String(key)).sort());
});

describe.each(commands)('$key', ({ key }) => {
  test('is in the audit of the instance once: who, what, to whom and why, in words, and nothing else is', async () => {
    const ready = await READY[key]?.();
    const last = async () =>
      (await server.sql<[{ id: string }]>`select coalesce(max(id), 0)::text as id from audit_entries`)[0].id;
    const before = await last();
    await act(key, ready);
    const entries = await server.sql<{ actor: string; action: string; subject: string; reason: string; via: string }[]>`
      select actor_id as actor, action, subject, reason, via from audit_entries
      where id > ${before} and community_id is null`;
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ actor: admin.userId, via: null });
    expect(entries[0]?.subject, 'to whom').toBeTruthy();
    expect(entries[0]?.reason, 'why').toBeTruthy();
    const { action = '' } = entries[0] ?? {};
    expect(actionWord(action), 'in words').not.toBe(action);
    const [read] = (await server.request('GET', '/api/admin/audit', { cookie: admin.cookie })).json.items;
    expect(read).toMatchObject({ action: entries[0]?.action, by: { displayName: 'Maya' }, reason: entries[0]?.reason });
  });
});

const list = async (query: string) =>
  (await server.request('GET', `/api/admin/audit?${query}`, { cookie: admin.cookie })).json as {
    items: { id: string; action: string; subject: string; reason: string; at: string }[];
    next: string | null;
    actors: { id: string; displayName: string }[];
    actions: string[];
  };

describe('the audit of the instance', () => {
  test('stays as it was written: nothing of it is changed, removed or emptied, but for a name that is taken out', async () => {
    const { userId } = await server.person({ name: 'Hanne' });
    await act(`POST ${PEOPLE}/suspension`, { params: { userId } });
    const [{ id }] = await server.sql<[{ id: string }]>`select max(id)::text as id from audit_entries`;
    for (const change of [
      `update audit_entries set reason = 'Another' where id = ${id}`,
      `update audit_entries set actor_id = null where id = ${id}`,
      `update audit_entries set at = now() where id = ${id}`,
      `update audit_entries set action = 'person.restored' where id = ${id}`,
      `delete from audit_entries where id = ${id}`,
      'truncate audit_entries',
    ])
      await expect(server.sql.unsafe(change), change).rejects.toThrow(/stays as it was written/);
    await server.sql`update audit_entries set subject = 'Erased', reason = null where id = ${id}`;
    const gone = await community(server, admin.userId);
    await server.sql`insert into audit_entries (community_id, action) values (${gone.id}, 'board.opened')`;
    await expect(server.sql`delete from audit_entries where community_id = ${gone.id}`).rejects.toThrow();
    await server.sql`delete from communities where id = ${gone.id}`;
    expect(await server.sql`select from audit_entries where community_id = ${gone.id}`).toHaveLength(0);
  });

  test('is found by who, act, subject and time, page by page, and goes along as a file', async () => {
    const other = await server.person({ role: 'admin', name: 'Jon' });
    const from = server.runtime.now();
    await server.sql`
      insert into audit_entries (community_id, actor_id, action, subject, subject_id, reason, at)
      select null, ${other.userId}, 'person.suspended', 'Crowd ' || n, gen_random_uuid(), '=1+1', ${from}::timestamptz + n * interval '1 s'
      from generate_series(1, 120) n`;
    const seen: string[] = [];
    let after = '';
    do {
      const page = await list(`who=${other.userId}${after}`);
      seen.push(...page.items.map(({ subject }) => subject));
      after = page.next === null ? '' : `&after=${page.next}`;
    } while (after !== '');
    expect(seen).toEqual(Array.from({ length: 120 }, (_, n) => `Crowd ${120 - n}`));
    expect((await list(`subject=crowd%2011&act=person.suspended`)).items).toHaveLength(11);
    expect((await list(`subject=crowd&act=person.restored`)).items).toEqual([]);
    const upTo = new Date(from.getTime() + 5_000).toISOString();
    expect((await list(`subject=crowd&from=${from.toISOString()}&to=${upTo}`)).items).toHaveLength(4);
    const { actors, actions } = await list('');
    expect(actors).toContainEqual({ id: other.userId, displayName: 'Jon' });
    expect(actions).toContain('person.suspended');
    expect((await list('who=cli')).items).toEqual([]);

    const csv = await server.request('GET', `/api/admin/audit/export?format=csv&who=${other.userId}`, {
      cookie: admin.cookie,
    });
    const lines = csv.text.trim().split('\r\n');
    expect(lines).toHaveLength(121);
    expect(lines[1]).toContain('"Crowd 1"');
    // What a spreadsheet would run is text.
    expect(lines[1]).toContain('"\'=1+1"');
    const ndjson = await server.request(
      'GET',
      `/api/admin/audit/export?format=ndjson&subject=${encodeURIComponent('Crowd 7')}`,
      { cookie: admin.cookie },
    );
    expect(JSON.parse(ndjson.text.split('\n')[0] ?? '')).toMatchObject({
      by: 'Jon',
      subject: 'Crowd 7',
      reason: '=1+1',
    });
    expect((await list('act=audit.exported')).items).toHaveLength(2);
  });
});
