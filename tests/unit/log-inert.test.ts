import { describe, expect, test } from 'vitest';
import { asText } from '../../server/features/client-logs/as-text.ts';
import { cell } from '../../server/features/client-logs/export.ts';
import { quietForMs } from '../../server/features/client-logs/quiet.ts';
import { framesOf } from '../../server/features/client-logs/stack.ts';
import { offlineOf, pageFrom, traitsOf, truncatedAddress } from '../../server/features/client-logs/traits.ts';
import { inert, inertJson, inertLine } from '../../server/rules/inert.ts';
import { fc } from '../support/chance.ts';

const odd = fc.string({
  unit: fc.constantFrom(
    'a',
    '=',
    '"',
    "'",
    ',',
    ' ',
    '\t',
    '\r',
    '\n',
    '\u001b',
    '\u0000',
    '\u0007',
    '\u009b',
    '\u202e',
    '\u2028',
    '\u2066',
    '\ufeff',
    '\u{e0041}',
    '＝',
    '@',
    '-',
    '+',
    '|',
    '%',
    '\ud83d\ude00',
  ),
  maxLength: 40,
});
/** The bytes that make a terminal act, a line break in two, or text read backwards. */
const ACTS = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u;

describe('text of strangers', () => {
  test('makes no terminal act and stays on its line', () => {
    fc.assert(
      fc.property(odd, (text) => {
        expect(inert(text)).not.toMatch(ACTS);
        expect(inertLine(text)).not.toMatch(/[\t\n]/);
      }),
    );
  });

  test('as JSON is inert, one line, and parses back to the very same', () => {
    fc.assert(
      fc.property(fc.object({ key: odd, values: [odd, fc.integer(), fc.constant(null)], maxDepth: 3 }), (value) => {
        const line = inertJson(value);
        expect(line).not.toMatch(ACTS);
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('as a cell is no formula, and reads back as one cell', () => {
    fc.assert(
      fc.property(odd, (text) => {
        const written = cell(text);
        expect(written).toMatch(/^"(?:[^"]|"")*"$/);
        const inside = written.slice(1, -1).replaceAll('""', '"');
        expect(inside).not.toMatch(/^[=+\-@\t\r\n|%＝]/);
        expect(inside.replaceAll("'", '')).toBe(inertLine(text).replaceAll("'", ''));
      }),
    );
    expect([cell(-5), cell('-5'), cell(null), cell('=1+1'), cell(' =1'), cell('＝1')]).toEqual([
      '-5',
      '"\'-5"',
      '',
      '"\'=1+1"',
      '"\' =1"',
      '"\'＝1"',
    ]);
  });

  test('in an issue text cannot leave its fence', () => {
    const entry = {
      ...{
        id: 'i',
        kind: 'error' as const,
        message: '````\n# heading\n\u001b[31m',
        source: null,
        issueId: null,
        happenedAt: 't',
        receivedAt: 't',
      },
      ...{
        repeats: 1,
        release: null,
        route: null,
        user: null,
        device: null,
        sequence: null,
        offlineMs: null,
        delayMs: 0,
      },
      ...{ engine: null, browser: null, os: null, display: null, connection: null },
    };
    const crumb = {
      ...{ at: '', offsetMs: -1_200, kind: 'debug' as const, message: 'press\n', entryId: null },
      data: { name: '```\u001b[31m' },
    };
    const text = asText(
      {
        ...{
          entry,
          userAgent: null,
          address: null,
          community: null,
          url: null,
          sentAt: null,
          skewMs: null,
          stack: null,
        },
        ...{ rawStack: '```', breadcrumbs: [crumb], gap: { missingBefore: 0, dropped: 0 }, data: {} },
      },
      'https://muster.example',
    );
    expect(text.startsWith('`````\n````\n# heading\n\\u001b[31m\n`````\n')).toBe(true);
    expect(text).toContain('````\n```\n````');
    expect(text).toContain('````\n-1.2 s  press   {"name":"```\\u001b[31m"}\n````');
  });
});

describe('a stack', () => {
  test.each<[string, string, [string | null, string | null, number | null, number | null][]]>([
    [
      'of Chromium',
      'TypeError: x\n    at Object.claim (https://m.example/assets/app-1.js:1:20)\n    at async https://m.example/assets/app-1.js:2:30\n    at new Board (<anonymous>)\n    at Array.map (<anonymous>)',
      [
        ['claim', 'https://m.example/assets/app-1.js', 1, 20],
        [null, 'https://m.example/assets/app-1.js', 2, 30],
        ['Board', null, null, null],
        ['map', null, null, null],
      ],
    ],
    [
      'of Firefox',
      'claim@https://m.example/assets/app-1.js:1:20\nasync*onPress/<@https://m.example/assets/app-1.js:2:30\n@https://m.example/boot.js:3:4',
      [
        ['claim', 'https://m.example/assets/app-1.js', 1, 20],
        ['onPress', 'https://m.example/assets/app-1.js', 2, 30],
        [null, 'https://m.example/boot.js', 3, 4],
      ],
    ],
    [
      'of Safari',
      'claim@https://m.example/assets/app-1.js:1:20\n@https://m.example/assets/app-1.js:2:30\n[native code]\nglobal code@https://m.example/x.js:1:1',
      [
        ['claim', 'https://m.example/assets/app-1.js', 1, 20],
        [null, 'https://m.example/assets/app-1.js', 2, 30],
        [null, 'https://m.example/x.js', 1, 1],
      ],
    ],
    [
      'of Firefox, of code that was made by code',
      'run@https://m.example/assets/app-1.js line 12 > eval:1:5\nanonymous@https://m.example/assets/app-1.js line 3 > Function:1:1\n@https://m.example/boot.js line 7 > Function line 2 > eval:9:9\nlast@https://m.example/boot.js:3:4',
      [
        ['run', 'https://m.example/assets/app-1.js', 12, null],
        [null, 'https://m.example/assets/app-1.js', 3, null],
        [null, 'https://m.example/boot.js', 7, null],
        ['last', 'https://m.example/boot.js', 3, 4],
      ],
    ],
    ['that is none', 'it just broke, I think @ noon', []],
  ])('%s is read frame by frame', (_, stack, wanted) => {
    const read = framesOf(stack).map(({ function: name, file, line, column }) => [name, file, line, column]);
    expect(read.filter(([name, file]) => name !== null || file !== null)).toEqual(wanted);
  });
});

describe('what is known of a device', () => {
  test.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'webkit',
      'Safari 18',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
      'chromium',
      'Samsung Internet 25',
      'Android',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
      'chromium',
      'Edge 141',
      'Windows',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
      'webkit',
      'Chrome 141',
      'iOS',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
      'firefox',
      'Firefox 144',
      'macOS',
    ],
    ['curl/8', 'other', null, null],
  ])('%s', (agent, engine, browser, os) => expect(traitsOf({}, agent)).toMatchObject({ engine, browser, os }));

  test('words that are not of the vocabulary are none', () => {
    const made = {
      displayMode: '<script>',
      connection: { effectiveType: 'telepathy' },
      pushPermission: 'sure',
      storage: 7,
    };
    expect(traitsOf(made, null)).toEqual({
      engine: null,
      browser: null,
      os: null,
      display: null,
      connection: null,
      push: null,
      storage: null,
    });
  });

  test.each([
    ['203.0.113.77', '203.0.113.0/24'],
    ['::ffff:203.0.113.77', '203.0.113.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:db8::1', '2001:db8:0::/48'],
    ['', null],
  ])('of the address %s its network is kept: %s', (address, kept) => expect(truncatedAddress(address)).toBe(kept));

  test.each([
    ['https://m.example/community/chess/dashboard', '/community/{communityId}/dashboard', 'chess'],
    ['/chess/admin', '/{communityName}/admin', 'chess'],
    ['/leaderboard', '/leaderboard', null],
    ['https://m.example', '/', null],
    ['/no/such/page/here', null, null],
    [undefined, null, null],
  ])('%s is the page %s', (url, route, community) => expect(pageFrom(url)).toEqual({ route, community }));

  test('how long it was offline is told by its own clock alone', () => {
    const timestamp = '2026-11-21T12:00:00.000Z';
    expect(offlineOf({ timestamp, offlineSince: '2026-11-21T11:50:00.000Z' })).toBe(600_000);
    // As today's pages write it.
    const connection = { online: false, type: '4g', offlineSince: '2026-11-21T11:00:00.000Z' };
    expect(offlineOf({ timestamp, context: { connection } })).toBe(3_600_000);
    expect(
      traitsOf({ context: { connection, displayMode: 'standalone', device: { engine: 'x' } } }, null),
    ).toMatchObject({ connection: '4g', display: 'standalone' });
    expect(offlineOf({ timestamp, context: { offlineSince: Date.parse('2026-11-21T11:59:00.000Z') } })).toBe(60_000);
    expect([
      offlineOf({ timestamp, online: false }),
      offlineOf({ timestamp, online: true }),
      offlineOf({ timestamp }),
    ]).toEqual([0, null, null]);
  });
});

test.each([
  ['21:59', 0],
  ['22:00', 9 * 60],
  ['03:30', 210],
  ['07:00', 0],
])('quiet from 22:00 to 07:00 in Berlin: at %s it lasts %i minutes', (clock, minutes) => {
  const now = new Date(`2026-01-15T${clock}:00.000+01:00`);
  expect(quietForMs({ from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }, now)).toBe(minutes * 60_000);
});
