import { describe, expect, test } from 'vitest';
import { uuidv7 } from '../../worker/ids.ts';
import type { SendAnswer } from '../../worker/send.ts';
import { backoffOf, errorOf, isAway, retryAfterOf, verdictOf } from '../../worker/verdict.ts';
import { fc } from '../support/chance.ts';

const answer = (status: number, body: unknown = {}, more: Partial<SendAnswer> = {}): SendAnswer => ({
  status,
  body,
  retryAfter: null,
  date: null,
  ...more,
});

describe('what an answer means', () => {
  test.each([200, 201, 202, 204])('%i is a delivery', (status) => {
    expect(verdictOf(answer(status, null))).toBe('delivered');
  });
  test.each([0, 302, 407, 408, 425, 429, 500, 502, 503, 504, 599])('%i is tried again', (status) => {
    expect(verdictOf(answer(status))).toBe('retry');
  });
  test.each([400, 403, 404, 409, 410, 413, 422])('%i is refused', (status) => {
    expect(verdictOf(answer(status))).toBe('refused');
  });
  test.each([200, 204, 302, 400, 401, 403, 404, 409, 413, 422, 500, 503])(
    '%i of somebody in between is no answer: it is sent again, and nothing is to be shown of it',
    (status) => {
      const nobodys = { ...answer(status), body: undefined };
      expect(verdictOf(nobodys)).toBe('retry');
      expect(errorOf(nobodys)).toMatchObject({ status: 0, reason: 'NO_ANSWER' });
      expect(isAway(nobodys, 0)).toBe(true);
    },
  );
  test('what counts already is delivered; 401 and another session wait for the member', () => {
    expect(verdictOf(answer(409, { reason: 'ALREADY_CLAIMED' }))).toBe('delivered');
    expect(verdictOf(answer(401))).toBe('signed-out');
    expect(verdictOf(answer(409, { reason: 'ACTOR_MISMATCH' }))).toBe('signed-out');
  });
  test('an answer beside another one that counts is refused: its words are nowhere else', () => {
    expect(verdictOf(answer(409, { reason: 'ALREADY_CLAIMED', details: { claim: {}, differs: true } }))).toBe(
      'refused',
    );
    expect(verdictOf(answer(409, { reason: 'ALREADY_CLAIMED', details: { claim: {}, differs: false } }))).toBe(
      'delivered',
    );
  });
  test('the same answer or appeal from another device is a delivery, another one is refused', () => {
    for (const reason of ['ALREADY_DECIDED', 'APPEAL_USED']) {
      expect(verdictOf(answer(409, { reason, details: { claim: {}, differs: false } }))).toBe('delivered');
      expect(verdictOf(answer(409, { reason, details: { claim: {}, differs: true } }))).toBe('refused');
      expect(verdictOf(answer(409, { reason, details: { claim: {} } }))).toBe('refused');
    }
  });
  test("the server's words are kept", () => {
    const error = { reason: 'TASK_CLOSED', message: 'It ended.', requestId: 'r1' };
    expect(errorOf(answer(403, error))).toEqual({ status: 403, ...error });
    expect(errorOf(answer(413))).toMatchObject({ status: 413, reason: 'HTTP_413' });
    expect(errorOf(null)).toMatchObject({ status: 0, reason: 'NO_ANSWER' });
  });
});

describe('when to try again', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  test.each([
    ['7', null, 7_000],
    [' 120 ', null, 120_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', null, 30_000],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 'Thu, 01 Jan 2026 00:00:10 GMT', 20_000],
    ['Wed, 31 Dec 2025 23:00:00 GMT', null, 0],
    ['99999999', null, 86_400_000],
    ['soon', null, null],
    ['', null, null],
    [null, null, null],
  ])('Retry-After %j at %j is %j ms', (retryAfter, date, expected) => {
    expect(retryAfterOf(answer(503, {}, { retryAfter, date }), now)).toBe(expected);
  });
  test('somebody in between is left five minutes at the most', () => {
    const said = (body: unknown) => answer(503, body, { retryAfter: '99999999' });
    expect([retryAfterOf({ ...said(null), body: undefined }, now), retryAfterOf(said({}), now)]).toEqual([
      300_000, 86_400_000,
    ]);
  });
  test('the backoff has full jitter under a ceiling that doubles from 1 s to 5 min', () => {
    const ceilings = [1, 2, 3, 9, 10, 100].map((attempts) => backoffOf(attempts, () => 1));
    expect(ceilings).toEqual([1_000, 2_000, 4_000, 256_000, 300_000, 300_000]);
    expect(backoffOf(5, () => 0)).toBe(0);
  });
});

test('ids are UUIDv7: well formed and ordered by time', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 31), fc.nat(2 ** 31), (a, b) => {
      const [first, second] = [uuidv7(a, Math.random), uuidv7(b, Math.random)];
      expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      if (a < b) expect(first < second).toBe(true);
    }),
  );
});
