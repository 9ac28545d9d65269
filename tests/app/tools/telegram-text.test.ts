import { describe, expect, test } from 'vitest';
import {
  MARKS,
  partsOfTelegram,
  plainOf,
  plainWithLinks,
  telegramHtml,
  telegramLength,
  withSigns,
} from '../../../app/features/tools/telegram-text.ts';
import { fc } from '../../support/chance.ts';

const html = (source: string) => telegramHtml(partsOfTelegram(source));
const length = (source: string) => telegramLength(partsOfTelegram(source));

test.each([
  ['plain', 'plain'],
  ['**bold** and _italic_', '<b>bold</b> and <i>italic</i>'],
  ['**bold _and italic_**', '<b>bold <i>and italic</i></b>'],
  ['`a < b`', '<code>a &lt; b</code>'],
  [
    '[the **guide**](https://a.example/x?a=1&b="2")',
    '<a href="https://a.example/x?a=1&amp;b=&quot;2&quot;">the <b>guide</b></a>',
  ],
  ['snake_case_word and 2 * 3 ** 4', 'snake_case_word and 2 * 3 ** 4'],
  ['a \\*\\*star\\*\\* and \\_line\\_', 'a **star** and _line_'],
  ['**open', '**open'],
  ['[words](javascript:alert(1))', '[words](javascript:alert(1))'],
  ['<b>&amp;</b>', '&lt;b&gt;&amp;amp;&lt;/b&gt;'],
])('%s becomes %s', (source, expected) => {
  expect(html(source)).toBe(expected);
});

describe('length', () => {
  test('is counted in UTF-16 units once the marks are parsed', () => {
    expect(length('**ab** `c` [d](https://example.com)')).toBe(6);
    expect(length('👨‍👩‍👧‍👦')).toBe(11);
    expect(length('é한')).toBe(2);
  });
  test('leaves out the blanks at both ends', () => {
    expect(length('\n  **ab** \n')).toBe(2);
  });
});

test('the HTML says the same words, whatever is written', () => {
  const source = fc.array(
    fc.constantFrom('**', '_', '`', '[a](https://x.y)', '\\', '<', '&', 'word', ' ', '\n', '😀'),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(source, (signs) => {
      const parts = partsOfTelegram(signs.join(''));
      const words = telegramHtml(parts)
        .replace(/<\/?(?:b|i|code|a)(?: href="[^"]*")?>/g, '')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&');
      expect(words.trim()).toBe(plainOf(parts).trim());
    }),
  );
});

test('a place without links gets each address behind its words', () => {
  expect(plainWithLinks(partsOfTelegram('See [the **guide**](https://a.example) _now_'))).toBe(
    'See the guide (https://a.example) now',
  );
});

describe('marking what is selected', () => {
  test('puts the signs around the words, not around their blanks, and takes them away again', () => {
    const marked = withSigns({ text: 'see the guide', start: 3, end: 8 }, 'bold');
    expect(marked).toEqual({ text: 'see **the** guide', start: 6, end: 9 });
    expect(withSigns(marked, 'bold')).toEqual({ text: 'see the guide', start: 4, end: 7 });
  });
  test('a link leaves the cursor where its address is written', () => {
    const { text, start } = withSigns({ text: 'guide', start: 0, end: 5 }, 'link');
    expect(text).toBe('[guide](https://)');
    expect(text.slice(0, start)).toBe('[guide](https://');
  });
  test('every mark of one word is read as that mark', () => {
    for (const mark of MARKS) {
      const { text } = withSigns({ text: 'word', start: 0, end: 4 }, mark);
      const source = mark === 'link' ? text.replace('https://', 'https://a.example') : text;
      expect(partsOfTelegram(source)).toMatchObject([{ kind: mark }]);
    }
  });
});
