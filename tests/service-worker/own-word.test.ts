/** Whose word an answer is: every status × type × content × header, and what each caller must do with it. */
import { afterEach, expect, test, vi } from 'vitest';
import { ForeignAnswer, HttpError, request } from '../../app/lib/http.ts';
import { BUILD_HEADER, CACHED_AT_HEADER } from '../../server/contract/sw-messages.ts';
import { runs, SEED } from '../support/chance.ts';
import { BOARD, type FakeAnswer, MEMBER, openDevice, responseOf, USER } from './in-between.ts';

afterEach(() => vi.unstubAllGlobals());

const STATUSES = [200, 201, 204, 400, 401, 403, 404, 407, 408, 409, 410, 413, 422, 425, 429, 500, 502, 503, 504];
const TYPES = [null, 'text/plain', 'text/html; charset=utf-8', 'application/json', 'application/json; charset=utf-8'];
const REVOKED = 'TELEGRAM_MEMBERSHIP_REVOKED';
const BODIES = [
  '',
  '404 page not found',
  '{"status":',
  '{}',
  '[]',
  '"words"',
  'null',
  `{"error":"${REVOKED}"}`,
  '{"reason":"SAID_SO","message":"No.","requestId":"r"}',
  `{"reason":"${REVOKED}","message":"${REVOKED}","requestId":"r"}`,
  '{"reason":"ALREADY_CLAIMED","message":"","requestId":"r"}',
  '{"reason":"ACTOR_MISMATCH","message":"","requestId":"r"}',
  '{"results":[{"id":"id3","status":"stored"}]}',
];
const HEADERS: Record<string, string>[] = [
  {},
  { 'retry-after': '99999999', server: 'nginx' },
  { 'x-request-id': 'r', 'cache-control': 'private, no-cache', 'x-muster-member': MEMBER },
  { [BUILD_HEADER]: 'build-1' },
  { [BUILD_HEADER]: 'build-1', 'retry-after': '99999999' },
];
const ALL: FakeAnswer[] = STATUSES.flatMap((status) =>
  TYPES.flatMap((type) => BODIES.flatMap((body) => HEADERS.map((headers) => ({ status, type, body, headers })))),
);
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const reasonIn = ({ body }: FakeAnswer): string | null =>
  (jsonOf(body) as { reason?: string } | null | undefined)?.reason ?? null;
const isOwn = (said: FakeAnswer): boolean =>
  said.headers?.[BUILD_HEADER] !== undefined &&
  (said.status < 300 ? !said.type?.includes('html') : said.type?.includes('json') === true && reasonIn(said) !== null);

/** One device with a command, a subscription and a log entry that wait, and copies of two reads. */
async function stocked() {
  const device = await openDevice();
  await device.read(USER);
  await device.read(BOARD);
  await device.command('check-in');
  await device.saveSubscription('key-1');
  await device.log('once');
  device.told.length = 0;
  return device;
}
const NOTHING_TOLD = new Set(['OUTBOX_CHANGED', 'NO_ANSWER']);

/** One of so many, other ones in each run; all of them in the long tier. */
const oneOf = (many: number) => (_: FakeAnswer, at: number) => (at + SEED) % many < runs(1, many);
const NOBODYS = ALL.filter((said) => !isOwn(said)).filter(oneOf(7));

test(`somebody in between: ${NOBODYS.length.toLocaleString('en')} answers change nothing for any caller`, async () => {
  const device = await stocked();
  const before = await device.state();
  // What was tried says that there was no answer.
  before.outbox = before.outbox.map(([id, state]) => [id, state, 0] as never);
  for (const said of NOBODYS) {
    device.between = () => ({ said: () => responseOf(said), afterwards: false });
    const as = JSON.stringify(said);
    // Past every wait.
    device.time += 301_000;
    await device.drain();
    for (const path of [USER, BOARD]) {
      const shown = await device.read(path);
      expect([shown.status, shown.headers.has(CACHED_AT_HEADER)], as).toEqual([200, true]);
    }
    expect((await device.read('/api/communities')).type, as).toBe('error');
    for (const path of ['/api/auth/logout', '/api/auth/telegram/mini-app', '/api/auth/x/complete'])
      await device.session('POST', path);
    await expect(request('GET', '/api/communities'), as).rejects.toBeInstanceOf(ForeignAnswer);
    expect(await device.state(), as).toEqual(before);
    expect(
      device.told.filter(({ type }) => !NOTHING_TOLD.has(type)),
      as,
    ).toEqual([]);
  }
});

test('a redirect during the sign-in, of whomever, leaves every copy; the next answer says who is here', async () => {
  const device = await stocked();
  const { copies } = await device.state();
  const redirect = { type: { value: 'opaqueredirect' }, status: { value: 0 }, ok: { value: false } };
  device.between = () => ({ said: () => Object.defineProperties(new Response(null), redirect), afterwards: false });
  await device.session('GET', '/api/auth/telegram/callback?code=1');
  expect(await device.state()).toMatchObject({ member: null, copies });
  device.between = () => null;
  await device.read(BOARD);
  expect(await device.state()).toMatchObject({ member: MEMBER, copies });
  expect(device.told.map(({ type }) => type)).not.toContain('SIGNED_OUT');
});

/** What the outbox does with the product's own word about a command. */
function ofCommand(said: FakeAnswer): 'gone' | 'waits' | 'waits for a sign-in' | 'refused' {
  const reason = reasonIn(said);
  if (said.status < 300) return said.status === 204 || jsonOf(said.body || 'null') !== undefined ? 'gone' : 'waits';
  if (said.status === 409 && reason === 'ALREADY_CLAIMED') return 'gone';
  if (said.status === 401 || reason === 'ACTOR_MISMATCH') return 'waits for a sign-in';
  return [407, 408, 425, 429].includes(said.status) || said.status >= 500 ? 'waits' : 'refused';
}
/** And with that about log entries: it is theirs to lose only where the server has read it. */
function ofLogs({ status, body }: FakeAnswer): 'gone' | 'waits' {
  const isStored = status < 300 && status !== 204 && body.includes('"stored"');
  return isStored || [400, 413, 422].includes(status) ? 'gone' : 'waits';
}
const OWN_WORDS = ALL.filter(isOwn).filter(oneOf(3));

test.each(STATUSES)('the product’s own word: %i', async (status) => {
  for (const said of OWN_WORDS.filter((one) => one.status === status)) {
    const as = JSON.stringify(said);
    const device = await stocked();
    device.between = () => ({ said: () => responseOf(said), afterwards: false });
    await device.drain();
    const { outbox, logs, paused } = await device.state();
    // The command, and the save of the subscription.
    const waits = { gone: [], waits: ['waiting', 'waiting'], refused: ['refused', 'refused'] };
    const meant = ofCommand(said);
    const isPaused = meant === 'waits for a sign-in';
    expect(
      outbox.map(([, state]) => state),
      as,
    ).toEqual(isPaused ? waits.waits : waits[meant]);
    expect(paused, as).toBe(isPaused ? MEMBER : null);
    expect(logs.length === 0 ? 'gone' : 'waits', as).toBe(ofLogs(said));

    const read = await stocked();
    const copies = Object.keys((await read.state()).copies[`private-${MEMBER}`] ?? {});
    expect(copies, as).toEqual([USER, BOARD]);
    read.between = () => ({ said: () => responseOf(said), afterwards: false });
    const shown = await read.read(BOARD);
    expect(shown.status, as).toBe(status >= 502 ? 200 : status);
    const left = Object.values((await read.state()).copies).flatMap((stored) => Object.keys(stored));
    const isGone = status === 404 || status === 410 || status === 403;
    const isOver = status === 401 || (status === 403 && said.body.includes(REVOKED));
    expect(left, as).toEqual(isOver ? [] : isGone ? [USER] : [USER, BOARD]);
    expect((await read.state()).member, as).toBe(status === 401 ? null : MEMBER);

    const page = await request('GET', '/api/communities').catch((error: unknown) => error);
    if (status < 300) expect(page, as).toBeInstanceOf(Response);
    else expect(page, as).toMatchObject({ name: 'HttpError', status, reason: reasonIn(said) });
    expect(page instanceof HttpError, as).toBe(status >= 300);

    const out = await stocked();
    out.between = () => ({ said: () => responseOf(said), afterwards: false });
    await out.session('POST', '/api/auth/logout');
    expect((await out.state()).member, as).toBe(status < 300 ? null : MEMBER);
  }
});
