import { expect, test } from 'vitest';
import { STORED, type StoredName } from '../../server/contract/stored.ts';
import { publicKeyOf, verifyExport } from '../../server/features/ledger/export.ts';
import { PERSON_COLUMNS } from '../../server/features/person/columns.ts';
import { eraseDue } from '../../server/features/person/erase.ts';
import { ledgerKey } from '../../server/storage/secrets.ts';
import { folderOfFile, ofFile } from '../support/of-file.ts';
import { plant } from '../support/planted.ts';
import { testServer } from '../support/server.ts';
import { unzip } from '../support/unzip.ts';
import { community, join as joinPlace } from '../support/world.ts';

const home = folderOfFile();

const server = await ofFile(testServer({ config: { home } }));
const admin = await server.person({ name: 'Maya Admin', role: 'admin' });

const command = (method: string, path: string, cookie: string, body?: object) =>
  server.command(method, path, { cookie, body });
const erase = (cookie: string, body: object = { word: 'ERASE', leavesCommunities: false }) =>
  command('POST', '/api/user/erasure', cookie, body);
const onDesk = (userId: string, what: string, body: object) =>
  command('POST', `/api/admin/people/${userId}/${what}`, admin.cookie, body);

async function archive(path: string, cookie: string, init: RequestInit = {}): Promise<Map<string, Buffer>> {
  const response = await fetch(server.url.replace('localhost', '127.0.0.1') + path, {
    ...init,
    headers: { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
  });
  expect(response.headers.get('content-type')).toBe('application/zip');
  expect(response.headers.get('content-disposition')).toMatch(/attachment; filename="muster-\d{4}-\d\d-\d\d\.zip"/);
  return unzip(Buffer.from(await response.arrayBuffer()));
}

test('the archive has every word of a person, no secret, and nothing of anybody else; the desk gives the same', async () => {
  const one = await server.person();
  const other = await server.person({ name: 'bystander name' });
  const place = await community(server, other.userId);
  await joinPlace(server.sql, place.id, one.userId, 'member');
  const [claim] = await server.sql<{ id: string }[]>`
    insert into claims (community_id, task_id, user_id, period, state, points, acted_at, local_day)
    values (${place.id}, ${place.taskId}, ${one.userId}, 'p', 'rejected', 5, now(), current_date) returning id`;
  await server.sql`
    insert into claim_events (community_id, claim_id, kind, to_state) values (${place.id}, ${claim?.id ?? ''}, 'rejected', 'rejected')`;
  await server.sql`
    insert into point_events (community_id, user_id, kind, points, reason) values (${place.id}, ${one.userId}, 'adjust', 5, 'canary was kind')`;
  const planted = {
    userId: one.userId,
    mark: 'canary',
    device: 'canary-device',
    tokenHash: Buffer.from('canary token hash'),
  };
  const at = { id: place.id, slug: place.slug, leader: other.userId, moderator: other.userId };
  await plant(server.sql, at, planted);

  const files = await archive('/api/user/data/archive', one.cookie);
  const text = [...files.values()].map((bytes) => bytes.toString()).join('\n');
  const missing: string[] = [];
  const words: Record<string, string[]> = JSON.parse(JSON.stringify(await wordsOf('canary')));
  for (const [column, values] of Object.entries(words))
    if (!values.every((value) => text.includes(value))) missing.push(column);
  expect(missing).toEqual([]);
  expect(files.get([...files.keys()].find((name) => name.startsWith('pictures/')) ?? '')?.toString()).toBe(
    'canary picture',
  );
  for (const secret of [
    'canary verifier',
    'canary questions',
    'canary token hash',
    Buffer.from('canary auth').toString('hex'),
  ])
    expect(text, secret).not.toContain(secret);
  const signed = files.get('points-signed.json')?.toString() ?? '';
  expect(verifyExport(signed, publicKeyOf(ledgerKey(server.runtime.config.home)).publicKey)).toContain('5 points');
  expect(JSON.parse(files.get('index.json')?.toString() ?? '')).toMatchObject({
    format: 'muster-person-1',
    picturesLeftOut: 0,
  });

  const desk = await archive(`/api/admin/people/${one.userId}/archive`, admin.cookie, {
    method: 'POST',
    body: JSON.stringify({ reason: 'Asked for it by letter' }),
  });
  expect([...desk.keys()]).toEqual([...files.keys()]);
  const [noted] = await server.sql`select actor_id, reason from audit_entries where action = 'person.archived'`;
  expect(noted).toEqual({ actor_id: admin.userId, reason: 'Asked for it by letter' });
});

/** The words of a person by column, where the one table says that the archive has them. */
async function wordsOf(mark: string): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const [table, { words = [] }] of Object.entries(PERSON_COLUMNS)) {
    if (!STORED[table as StoredName].inArchive) continue;
    for (const column of words) {
      // Digests of what is given as it is.
      if (['answer_hash', 'sha256', 'bytes'].includes(column)) continue;
      const rows = await server.sql<{ word: string }[]>`
        select distinct substring(${server.sql(column)}::text from ${`${mark}[ _][a-z0-9 ]+`}) as word from ${server.sql(table)}
        where strpos(${server.sql(column)}::text, ${mark}) > 0`;
      found[`${table}.${column}`] = rows.map(({ word }) => word);
    }
  }
  return found;
}

test('asked for, the person is signed out at once and told why; their device is told whom to forget', async () => {
  const one = await server.person();
  expect((await erase(one.cookie, { word: 'erase', leavesCommunities: false })).status).toBe(400);
  const asked = await erase(one.cookie);
  expect(asked).toMatchObject({ status: 200, json: { by: 'person' } });
  expect(Date.parse(asked.json.dueAt) - Date.parse(asked.json.askedAt)).toBe(7 * 86_400_000);
  const after = await server.request('GET', '/api/auth/user', { cookie: one.cookie });
  expect(after).toMatchObject({ status: 401, json: { reason: 'FORGOTTEN', details: { userId: one.userId } } });
  expect((await server.request('GET', '/api/auth/user', { cookie: 'sid=unknown' })).json.reason).toBe('NOT_SIGNED_IN');
});

test('signing in within the time cancels it and says so until it is read; after it, one is somebody new', async () => {
  const cookie = await server.signIn(1001);
  const before = (await server.request('GET', '/api/auth/user', { cookie })).json;
  const { askedAt, dueAt } = (await erase(cookie)).json;
  server.advance(6 * 86_400_000);
  const back = await server.signIn(1001);
  expect((await server.request('GET', '/api/auth/user', { cookie: back })).json).toEqual(before);
  const mine = () => server.request('GET', '/api/user/data', { cookie: back });
  expect((await mine()).json.cancelled).toMatchObject({ askedAt, dueAt });
  expect((await command('DELETE', '/api/user/erasure/notice', back)).status).toBe(200);
  expect((await mine()).json.cancelled).toBeNull();
  server.advance(2 * 86_400_000);
  await eraseDue(server.runtime);
  expect((await server.request('GET', '/api/auth/user', { cookie: back })).status).toBe(200);

  await erase(back);
  server.advance(8 * 86_400_000);
  await eraseDue(server.runtime);
  const fresh = (await server.request('GET', '/api/auth/user', { cookie: await server.signIn(1001) })).json;
  expect(fresh.telegramUserId).toBe(before.telegramUserId);
  expect(fresh.id).not.toBe(before.id);
  expect((await server.request('GET', '/api/auth/user', { cookie: back })).json.details).toEqual({ userId: before.id });
});

test('on the desk: with a reason, shown while it waits, cancelled, and nothing else is decided meanwhile', async () => {
  const one = await server.person({ name: 'Emil Sand' });
  const asked = await onDesk(one.userId, 'erasure', { word: 'ERASE', reason: 'Asked for it by letter' });
  expect(asked.json).toMatchObject({ suspension: null, erasure: { by: 'admin' }, sessions: [] });
  for (const [what, body] of [
    ['suspension', { reason: 'Spam', until: null }],
    ['restoration', { reason: 'A mistake' }],
  ] as const)
    expect((await onDesk(one.userId, what, body)).json.reason).toBe('ERASURE_WAITS');
  const kept = await onDesk(one.userId, 'erasure-cancellation', { reason: 'Changed their mind' });
  expect(kept.json).toMatchObject({ suspension: null, erasure: null });
  expect((await onDesk(one.userId, 'erasure-cancellation', { reason: 'Once more' })).json.reason).toBe('NO_ERASURE');
  expect((await onDesk(admin.userId, 'erasure', { word: 'ERASE', reason: 'Myself' })).json.reason).toBe('OWN_ACCOUNT');
  const acts = await server.sql`select action, reason from audit_entries where subject_id = ${one.userId} order by id`;
  expect(acts).toEqual([
    { action: 'person.erasure_asked', reason: 'Asked for it by letter' },
    { action: 'person.erasure_cancelled', reason: 'Changed their mind' },
  ]);
  await onDesk(one.userId, 'erasure', { word: 'ERASE', reason: 'Asked again' });
  server.advance(8 * 86_400_000);
  await eraseDue(server.runtime);
  const again = await server.person({ role: 'admin' });
  expect((await server.request('GET', `/api/admin/people/${one.userId}`, { cookie: again.cookie })).status).toBe(404);
});

test('what somebody agreed to is kept with its time, and an old version is not taken', async () => {
  const one = await server.person();
  const data = async () => (await server.request('GET', '/api/user/data', { cookie: one.cookie })).json.consents;
  const first = await data();
  expect(first).toMatchObject([
    { document: 'terms', agreed: null, isAsked: true },
    { document: 'privacy', agreed: null, isAsked: true },
  ]);
  const agreed = first.map(({ document, version }: { document: string; version: string }) => ({ document, version }));
  const old = await command('POST', '/api/user/consents', one.cookie, {
    agreed: [{ document: 'privacy', version: '1.1' }],
  });
  expect(old).toMatchObject({ status: 409, json: { reason: 'NOT_IN_FORCE' } });
  expect((await command('POST', '/api/user/consents', one.cookie, { agreed })).status).toBe(200);
  expect((await data()).map(({ isAsked }: { isAsked: boolean }) => isAsked)).toEqual([false, false]);
  // An older version of a document that changed materially is asked for anew.
  await server.sql`update consents set version = '1.1' where user_id = ${one.userId} and document = 'privacy'`;
  expect(await data()).toMatchObject([{ isAsked: false }, { isAsked: true, agreed: { version: '1.1' } }]);
});
