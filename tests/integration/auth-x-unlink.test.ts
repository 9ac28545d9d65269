/** A member takes their own X account off: what goes with it, and that it is no way around the lock of 30 days. */
import { expect, test } from 'vitest';
import { sweep } from '../../server/sweep.ts';
import { sessionIn, xStage } from '../support/x-stage.ts';

const x = await xStage();

const DAY_MS = 24 * 60 * 60_000;
const unlink = (cookie: string) => x.server.request('DELETE', '/api/auth/x', { cookie });
const start = (cookie: string, again = '') => x.server.request('GET', `/api/auth/x/start${again}`, { cookie });
/** The same person at X under another account. */
const turnInto = (telegramUserId: number, xId: string) =>
  x.control('PUT', '/people', {
    telegramUserId: String(telegramUserId),
    firstName: 'Walker',
    username: `tg_${telegramUserId}`,
    xId,
    xUsername: `walker_${xId}`,
  });
const linkOf = async (userId: string) => {
  const [row] = await x.server.sql<{ x: string | null; handle: string | null; verified: boolean; tokens: number }[]>`
    select x_user_id as x, twitter_username as handle, is_verified as verified,
      (select count(*)::int from x_tokens t where t.user_id = u.id) as tokens
    from users u where id = ${userId}`;
  return row;
};

test('the account, the verified flag and what X gave go; the audit says who did it', async () => {
  const { userId, cookie, handle } = await x.linked(6001, '6601');
  expect(await linkOf(userId)).toEqual({ x: '6601', handle, verified: true, tokens: 1 });
  const gone = await unlink(cookie);
  expect(gone.status, gone.text).toBe(200);
  expect(gone.json.user).toMatchObject({ id: userId, twitterUsername: null, isVerified: false });
  expect(await linkOf(userId)).toEqual({ x: null, handle: null, verified: false, tokens: 0 });
  const [told] = await x.server.sql`select from x_revocations where user_id = ${userId}`;
  expect(told).toBeDefined();
  const [act] = await x.server.sql<{ actor: string; action: string }[]>`
    select actor_id as actor, action from audit_entries where subject_id = ${userId}`;
  expect(act).toEqual({ actor: userId, action: 'person.x_unlinked' });
  const [former] = await x.server.sql<{ name: string }[]>`select name from former_names where user_id = ${userId}`;
  expect(former?.name).toBe(handle);
  expect((await unlink(cookie)).json.reason).toBe('NO_X_ACCOUNT');
});

test('a session whose Telegram sign-in is older than 15 minutes takes nothing off', async () => {
  const { userId, cookie } = await x.linked(6002, '6602');
  x.server.advance(15 * 60_000 + 1);
  const late = await unlink(cookie);
  expect([late.status, late.json.reason]).toEqual([403, 'TELEGRAM_SIGN_IN_TOO_OLD']);
  expect(await linkOf(userId)).toMatchObject({ x: '6602', verified: true });
});

test('until the lock ends the same account may come back, but no other, and it vouches for nobody else', async () => {
  const { userId, cookie, handle } = await x.linked(6003, '6603', { checks: false });
  expect((await unlink(cookie)).status).toBe(200);
  expect((await start(cookie)).json.reason).toBe('X_RELINK_LOCKED');

  await turnInto(6003, '6613');
  const other = await x.server.signIn(6003);
  const refused = await x.link(other, '6003', true);
  expect([refused.status, refused.json.reason]).toEqual([409, 'X_RELINK_LOCKED']);

  await turnInto(6004, '6603');
  const second = await x.link(await x.server.signIn(6004), '6004');
  expect([second.status, second.json.reason]).toEqual([409, 'X_ACCOUNT_TAKEN']);
  await x.control('PUT', '/people', {
    telegramUserId: '6004',
    firstName: 'W',
    username: 'tg_6004',
    xId: '6614',
    xUsername: 'w6614',
  });

  await x.control('PUT', '/people', {
    telegramUserId: '6003',
    firstName: 'W',
    username: 'tg_6003',
    xId: '6603',
    xUsername: handle,
  });
  const again = await x.link(await x.server.signIn(6003), '6003', true);
  expect(again.status, again.text).toBe(200);
  expect(await linkOf(userId)).toMatchObject({ x: '6603', handle, verified: true });
  const [left] = await x.server.sql`select from x_unlinked where user_id = ${userId}`;
  expect(left).toBeUndefined();
  expect((await unlink(sessionIn(again))).status).toBe(200);
});

test('after the 30 days another account may be linked, and this one elsewhere; what was kept for that is gone', async () => {
  const { userId, cookie } = await x.linked(6005, '6605', { checks: false });
  expect((await unlink(cookie)).status).toBe(200);
  x.server.advance(30 * DAY_MS + 1);
  await sweep(x.server.runtime);
  const [left] = await x.server.sql`select from x_unlinked where user_id = ${userId}`;
  expect(left).toBeUndefined();
  await turnInto(6005, '6615');
  const moved = await x.link(await x.server.signIn(6005), '6005');
  expect(moved.status, moved.text).toBe(200);
  await turnInto(6006, '6605');
  expect((await x.link(await x.server.signIn(6006), '6006')).status).toBe(200);
});
