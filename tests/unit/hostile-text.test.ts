import { describe, expect, test } from 'vitest';
import { normalize } from '../../server/features/client-logs/message.ts';
import { scrub, scrubText } from '../../server/features/client-logs/scrub.ts';
import { framesOf } from '../../server/features/client-logs/stack.ts';
import { pageFrom, traitsOf } from '../../server/features/client-logs/traits.ts';
import { safeLine } from '../../server/log.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';

/** Everything on the server that looks for patterns in what a stranger wrote, without the cut that comes before it. */
const READERS: readonly [string, (text: string) => unknown][] = [
  ['scrubbing', (text) => scrubText(text, text.length)],
  [
    'scrubbing an entry of many fields',
    (text) => scrub(Object.fromEntries(chunks(text, 8_000).map((part, at) => [`f${at}`, part]))),
  ],
  ['scrubbing names', (text) => scrub({ [text]: 'x' })],
  ['the log of the process', (text) => safeLine(JSON.stringify({ url: text, msg: text }))],
  ['frames of Firefox', (text) => framesOf(stackOf(text, ''))],
  ['frames of Chromium', (text) => framesOf(stackOf(text, '    at '))],
  ['words of an error', (text) => [normalize(text), normalize(`TypeError: ${text}`), normalize(`Error: "${text}`)]],
  ['a browser', (text) => traitsOf({ userAgent: text }, text)],
  ['a page', (text) => pageFrom(text)],
];

const chunks = (text: string, size: number): string[] => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];

/** As long as one is stored, of lines as long as one is read. */
const stackOf = (text: string, before: string): string =>
  chunks(text, 390)
    .map((part) => before + part)
    .join('\n')
    .slice(0, 8_000);

const PARTS = [
  ...[
    '=/',
    '/',
    '/?',
    '?#',
    'aa://',
    'a://',
    'a://b',
    '://a',
    '://a@',
    'a@',
    '@',
    "'",
    '"@',
    '"',
    '(',
    ' ',
    '\\',
    '\n',
  ],
  ...['eyJ', 'eyJ-', 'eyJaaaaa-', 'eyJaaaaa.', 'a.b-', 'a-', '1-', '1', ':1', '@:1', '123456:', 'x is '],
  ...[
    'token=',
    'token ',
    'token:\\',
    'cookie:',
    'cookie: a;',
    'cookie: a=b;',
    'initData=',
    '&hash=',
    'Bearer ',
    'basic\t',
  ],
  ...['postgres://a:', 'postgres://a:b', '?code=', ' line 1 > eval', 'async*', 'Object.', 'Version/1'],
  'undefined is not an object (evaluating ',
];

describe.each(READERS)('%s', (_name, read) => {
  test('takes as long as a text is long, whatever a stranger wrote', () => {
    for (const part of PARTS) {
      for (const [head, tail] of [
        ['', ''],
        ['cookie: https://a/', '?x=1'],
      ]) {
        const power = growth((size) => {
          const text = head + part.repeat(Math.ceil(size / part.length)).slice(0, size) + tail;
          return () => read(text);
        });
        expect(power, `${head}${part}`).toBeLessThan(AS_ITS_LENGTH);
      }
    }
  });
});
