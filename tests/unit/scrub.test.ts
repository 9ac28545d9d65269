import { describe, expect, test } from 'vitest';
import { isStorable } from '../../server/base/text.ts';
import { correctedTime } from '../../server/features/client-logs/entry.ts';
import { scrub, scrubText } from '../../server/features/client-logs/scrub.ts';
import { fc, runs } from '../support/chance.ts';

const SECRET = 'q7Zt4vLm2Xc9Kp1Wd8Rb5Ny3';

describe('scrubbing a log entry', () => {
  test.each([
    ['https://muster.example/twitter-return?code=abc&state=def#frag', 'https://muster.example/twitter-return'],
    ['at f (https://muster.example/assets/app.js?v=3:10:25)', 'at f (https://muster.example/assets/app.js:10:25)'],
    ['at f (https://muster.example/assets/app.js:10:25)', 'at f (https://muster.example/assets/app.js:10:25)'],
    ['GET /api/auth/user?token=1 failed', 'GET /api/auth/user failed'],
    ['what is this? a question / an answer', 'what is this? a question / an answer'],
    [`Authorization: Bearer ${SECRET}`, 'Authorization: [removed]'],
    ['bot 123456789:AAabcdefghijklmnopqrstuvwxyz0123456 went away', 'bot [removed] went away'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig_na-ture', '[removed]'],
    ['auth_date=1&hash=abcdef0123456789&user=x', 'auth_date=1&hash=[removed]&user=x'],
    ['{"access_token":"abcdef"}', '{"access_token":"[removed]"}'],
    [
      `GET https://api.telegram.org/bot123456789:AA${SECRET}${SECRET}/getMe`,
      'GET https://api.telegram.org/bot[removed]/getMe',
    ],
    [`https://ann:${SECRET}@muster.example/a`, 'https://muster.example/a'],
    ['f@https://muster.example/@fs/app.js:10:25', 'f@https://muster.example/@fs/app.js:10:25'],
    [`authToken=${SECRET} csrf_token: ${SECRET}`, 'authToken=[removed] csrf_token: [removed]'],
    [`x-api-key: ${SECRET}, Authorization: ${SECRET}`, 'x-api-key: [removed], Authorization: [removed]'],
    [`Cookie: theme=dark; __Host-sid=${SECRET}; other=${SECRET}`, 'Cookie: [removed]'],
    [`theme=dark; __Host-sid=${SECRET}`, 'theme=dark; __Host-sid=[removed]'],
    [`initData=query_id=A&user=%7B${SECRET}%7D&hash=${SECRET} failed`, 'initData=[removed] failed'],
    [`body {\\"password\\":\\"${SECRET}\\"}`, 'body {\\"password\\":\\"[removed]\\"}'],
    ['Unexpected token < in JSON; no cookie is set', 'Unexpected token < in JSON; no cookie is set'],
    ['code=404', 'code=404'],
    ['a\u0000b\ud800c', 'a\ufffdb\ufffdc'],
    [`x?next=/a?token=${SECRET} b`, 'x?next=/a b'],
    [`left-eyJhbGciOi.eyJzdWIi.${SECRET} right`, 'left-[removed] right'],
  ])('%j is kept as %j', (text, kept) => expect(scrubText(text)).toBe(kept));

  test('a query behind a path of any length is cut', () => {
    const path = `https://a.example/${'p/'.repeat(1_500)}`;
    expect(scrubText(`${path}?code=${SECRET}`)).toBe(path);
  });

  test('the quick look that most texts pass lets through nothing that the whole work would change', () => {
    const piece = fc.constantFrom(
      ...[
        'https://a.example/b',
        '/path',
        '?',
        '#',
        '=',
        ':',
        ' ',
        '"',
        "'",
        '&',
        '\n',
        '\u0000',
        '\ud800',
        '\udfff',
        '🎈',
      ],
      ...[
        'Bearer abcdefgh',
        'basic\tabcdefgh',
        'eyJabcde.abcdefgh',
        `1234567:${'A'.repeat(30)}`,
        '123456',
        'abcdefgh',
        '.',
      ],
      ...['TOKEN', 'initData', 'password', 'tgWebAppData', 'tgAuthResult', 'secret', 'Cookie', 'hash', 'code', 'state'],
      ...[
        'signature',
        'session',
        'sid',
        '_',
        '-',
        ';',
        '\\',
        '@',
        '://',
        'authorization',
        'api-key',
        'sessionId',
        'passwd',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        // A lone question mark fails the quick look and is nobody's secret.
        expect(scrubText(`? ${text}`)).toBe(`? ${scrubText(text)}`);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('a long text is cut and says how much is missing', () => {
    expect(scrubText('x'.repeat(5_000), 100)).toBe(`${'x'.repeat(100)}… (4900 more characters)`);
  });

  test('a planted secret never comes through, in any field and at any depth', () => {
    const holder = fc.constantFrom(
      (s: string) => ({ token: s }),
      (s: string) => ({ headers: { Authorization: `Bearer ${s}` } }),
      (s: string) => ({ url: `https://x.example/a/b?next=/&code=${s}#tgAuthResult=${s}` }),
      (s: string) => ({ message: `failed: /api/x/complete?code=${s}` }),
      (s: string) => ({ initData: `user=1&hash=${s}` }),
      (s: string) => ({ note: `query_id=1&hash=${s}&signature=${s}` }),
      (s: string) => ({ Cookie: `sid=${s}` }),
      (s: string) => ({ xSecretKey: [s, { deep: s }] }),
      (s: string) => ({ sessionId: s, session_id: s, 'x-api-key': s, init_data: s, pwd: s, sig: s }),
      (s: string) => ({ botToken: s, 'X-Telegram-Init-Data': s, privateKey: s, passphrase: s }),
      (s: string) => ({ stack: `Error\n  at https://x.example/app.js?t=${s}:1:2` }),
    );
    const nest = fc.array(fc.constantFrom('list', 'field'), { maxLength: 12 });
    fc.assert(
      fc.property(holder, nest, (hold, shells) => {
        const value = shells.reduce<unknown>(
          (inner, shell) => (shell === 'list' ? [inner] : { additionalData: inner }),
          hold(SECRET),
        );
        expect(JSON.stringify(scrub(value))).not.toContain(SECRET);
      }),
    );
  });

  test('a name is read the same the second time', () => {
    const names = ['token', 'hash', 'plain', 'a?b=c', 'X'.repeat(200), 'constructor'];
    const value = JSON.parse(`{"__proto__":"words",${names.map((name) => `"${name}":"words"`).join()}}`) as unknown;
    const first = JSON.stringify(scrub(value));
    expect(JSON.stringify(scrub(value))).toBe(first);
    expect(JSON.parse(first)).toMatchObject({
      token: '[removed]',
      hash: '[removed]',
      plain: 'words',
      constructor: 'words',
    });
  });

  test('whatever comes in, what goes out can be stored and stays bounded', () => {
    const odd = fc.string({
      unit: fc.constantFrom('a', '\u0000', '\ud800', '\udfff', '/', '?', '=', ':', '"', ' '),
      maxLength: 50,
    });
    fc.assert(
      fc.property(
        fc.object({ key: odd, values: [odd, fc.boolean(), fc.integer(), fc.constant(null)], maxDepth: 15 }),
        (value) => {
          const texts: string[] = [];
          JSON.stringify(scrub(value), (name, inner: unknown) => {
            texts.push(name);
            if (typeof inner === 'string') texts.push(inner);
            return inner;
          });
          expect(texts.every(isStorable)).toBe(true);
        },
      ),
    );
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`f${at}`, at]));
    expect(Object.keys(scrub(wide) as object)).toHaveLength(65);
    expect(scrub(Array(500).fill(1))).toHaveLength(101);
  });
});

describe('the time of an entry', () => {
  const receivedAt = new Date('2026-11-21T12:00:00.000Z');
  test.each([
    ['a right clock', '2026-11-21T11:00:00.000Z', '2026-11-21T12:00:00.000Z', '2026-11-21T11:00:00.000Z'],
    ['a clock a year behind', '2025-11-21T11:00:00.000Z', '2025-11-21T12:00:00.000Z', '2026-11-21T11:00:00.000Z'],
    ['a clock a day ahead', '2026-11-22T11:30:00.000Z', '2026-11-22T12:00:00.000Z', '2026-11-21T11:30:00.000Z'],
    ['a time after the sending', '2026-11-21T13:00:00.000Z', '2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.000Z'],
    ['no time of sending', '2026-11-21T11:00:00.000Z', null, '2026-11-21T11:00:00.000Z'],
  ])('%s', (_, timestamp, sentAt, corrected) => {
    expect(correctedTime(timestamp, { sentAt, receivedAt })?.toISOString()).toBe(corrected);
  });
  test.each(['', 'yesterday', '-200000-01-01T00:00:00Z', '0001-01-01T00:00:00Z'])('%j is no time', (timestamp) => {
    expect(correctedTime(timestamp, { sentAt: null, receivedAt })).toBeNull();
  });
});
