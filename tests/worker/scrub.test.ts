import { expect, test } from 'vitest';
import { LONGEST_STRING, scrub, scrubText } from '../../worker/scrub.ts';
import { fc, runs } from '../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';

test.each([
  ['GET https://m.example/a/b?token=x#frag failed', 'GET https://m.example/a/b failed'],
  ['at f (https://m.example/assets/app.js?v=12:10:5)', 'at f (https://m.example/assets/app.js:10:5)'],
  ['/api/auth/telegram/callback?code=1&state=2', '/api/auth/telegram/callback'],
  ['Authorization: Bearer abcdefghi.jkl', 'Authorization: [removed] [removed]'],
  ['bot 123456789:AAF-abcdefghijklmnopqrstuvwxyz012345 said', 'bot [removed] said'],
  ['eyJhbGciOi.eyJzdWIi.c2ln', '[removed]'],
  ['password="hunter2", next', 'password="[removed]", next'],
  ['Is it done? Yes.', 'Is it done? Yes.'],
  [
    'https://api.telegram.org/bot123456789:AAF-abcdefghijklmnopqrstuvwxyz012345/x',
    'https://api.telegram.org/bot[removed]/x',
  ],
  ['https://ann:hun@ter2@m.example/a', 'https://m.example/a'],
  ['f@https://m.example/@fs/app.js:10:5', 'f@https://m.example/@fs/app.js:10:5'],
  ['authToken=hunter2 x-api-key: hunter2', 'authToken=[removed] x-api-key: [removed]'],
  ['Cookie: theme=dark; __Host-sid=hunter2; other=hunter2', 'Cookie: [removed]'],
  ['initData=query_id=A&user=hunter2&hash=hunter2 failed', 'initData=[removed] failed'],
])('%s', (text, expected) => {
  expect(scrubText(text)).toBe(expected);
});

test('takes out secrets by name at any depth, and survives what is not JSON', () => {
  const cyclic: Record<string, unknown> = { init_data: 'q', deep: { Cookie: 'c', list: [{ sessionId: 's' }] } };
  cyclic['self'] = cyclic;
  cyclic['fn'] = () => 1;
  cyclic['big'] = 10n;
  Object.defineProperty(cyclic, 'trap', {
    enumerable: true,
    get: () => ({
      get x() {
        throw new Error('no');
      },
    }),
  });
  const clean = scrub(cyclic);
  expect(() => structuredClone(clean)).not.toThrow();
  expect(clean).toMatchObject({
    init_data: '[removed]',
    deep: { Cookie: '[removed]', list: [{ sessionId: '[removed]' }] },
    big: '10',
    trap: { x: '[unreadable]' },
  });
});

test('what hangs together without an end is left off after a while', () => {
  const wide = (depth: number): unknown =>
    depth === 0 ? 1 : Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`f${at}`, wide(depth - 1)]));
  const tree = {
    get more() {
      return wide(3);
    },
  };
  expect(JSON.stringify(scrub({ a: tree, b: tree, c: tree })).length).toBeLessThan(60_000);
});

test('a planted secret never comes through, and scrubbing twice changes nothing more', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9]{24}$/);
  const place = fc.constantFrom(
    (s: string) => ({ url: `https://m.example/x?a=1&token=${s}` }),
    (s: string) => ({ stack: `Error: x\n at f (https://m.example/a.js?t=${s}:1:2)` }),
    (s: string) => ({ additionalData: { a: [{ token: s }] } }),
    (s: string) => ({ message: `failed with Bearer ${s}` }),
    (s: string) => ({ message: `cookie=${s}; more` }),
    (s: string) => ({ data: { initData: { raw: s } } }),
    (s: string) => ({ message: `123456:${s}${s}` }),
    (s: string) => ({ message: `bot123456:${s}${s}` }),
    (s: string) => ({ message: `cookie: a=b; c=${s}` }),
    (s: string) => ({ data: { accessToken: s, botToken: s, userPassword: s, 'x-api-key': s } }),
  );
  fc.assert(
    fc.property(secret, place, fc.string(), (value, put, noise) => {
      const once = scrub({ ...put(value), noise });
      expect(JSON.stringify(once)).not.toContain(value);
      expect(scrub(once)).toEqual(once);
    }),
    { numRuns: runs(500) },
  );
});

test.each([
  'z',
  '/',
  '=/',
  'aa://',
  'eyJ-',
  'cookie:',
  '/?',
  'eyJaaaaa-',
  'a.b-c_',
  ':1',
  'token=',
  'cookie: a=b;',
  'cookie: a;',
  '://a',
  '123456:',
])('a long text of %j takes no longer than its length asks for', (part) => {
  const power = growth(
    (size) => {
      const text = part.repeat(size / part.length);
      return () => {
        for (let n = 0; n < 60; n += 1) scrubText(text);
      };
    },
    LONGEST_STRING / 2,
    2,
  );
  expect(power).toBeLessThan(AS_ITS_LENGTH);
});
