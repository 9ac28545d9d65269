import { describe, expect, it } from 'vitest';
import { skeleton } from '../../server/domain/look-alikes.ts';
import { line, prose } from '../../server/domain/text.ts';
import { displayName } from '../../server/integrations/telegram/display-name.ts';
import { fc } from '../support/chance.ts';
import { AS_ITS_LENGTH, growth } from '../support/growth.ts';

const NAME = 'Ridge & Valley Walkers';

describe('what a reader takes for one name is one', () => {
  it.each([
    'ridge and valley walkers'.replace(' and', ''),
    'Ridge & V\u0430lley Walkers',
    'Ridge & Va11ey Walkers',
    'R\u0456dge & Valley Walkers',
    'Ｒｉｄｇｅ & Valley Walkers',
    'Ridge & Válley Walkers',
    'Ridge\u200b & Valley Walkers',
    'Ridge & Valley Walker\u0455',
    'Ridge & \u03bdalley Walkers',
    'RIDGE & VALLEY WALKERS',
    'Ridge - Valley - Walkers',
    'Ridge & Vvalley Walkers'.replace('Vv', 'V'),
  ])('%j', (other) => expect(skeleton(other)).toBe(skeleton(NAME)));

  it.each([
    'Ridge & Valley Runners',
    'Bridge & Valley Walkers',
    'Ridge & Valley Walkers 2',
    'Хребет и долина',
    '山と谷',
  ])('but %j is another', (other) => expect(skeleton(other)).not.toBe(skeleton(NAME)));

  it('looks like itself, however its accents are written and its letters are doubled in other scripts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (text) => {
        expect(skeleton(text.normalize('NFC'))).toBe(skeleton(text.normalize('NFD')));
        expect(skeleton(skeleton(text))).toBe(skeleton(text));
      }),
    );
  });
});

const refusal = (text: string, read = line): string => {
  try {
    read('name', text);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('a name', () => {
  it.each([
    'a\u200bb',
    'a\u{e0041}b',
    'soft\u00adhyphen',
    '\ufeffname',
    'a\u2060b',
    'x\ufe0f',
    'a\u200db',
    'a\u034fb',
    '\u3164name',
    '\u{1f680}\u200d',
    'a\u200eb',
  ])('%j hides something', (text) => expect(refusal(text)).toMatch(/not seen/));

  it.each([
    '👩‍🚀 Ada',
    '👨‍👩‍👧‍👦',
    '🏳️‍🌈 walkers',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '❤️ and ☺︎',
    '1️⃣ first',
    'می\u200cخواهم',
    'क्\u200dष',
    'Việt Nam',
    'Vie\u0323\u0302t',
    'สวัสดีที่',
    'བསྒྲུབས',
    'Ångström',
    'שָׁלוֹם',
  ])('%j may be one', (text) => expect(refusal(text)).toBe(''));

  it('has three marks on a letter at most; longer texts are kept as they are', () => {
    const stacked = (count: number) => `Z${'\u0335'.repeat(count)}algo`;
    expect(refusal(stacked(3))).toBe('');
    expect(refusal(stacked(4))).toMatch(/more than three marks/);
    expect(refusal(stacked(30))).toMatch(/more than three marks/);
    expect(refusal(stacked(30), prose)).toBe('');
  });

  it.each(['\u200b', '\u0335', '👩\u200d', '1\ufe0f\u20e3', 'क्\u200d', '\u{e0041}', '🏴\u{e0067}'])(
    'of %j alone takes no longer to judge than its length asks for',
    (piece) => {
      const power = growth((size) => {
        const text = piece.repeat(size / piece.length);
        return () => {
          // No line is as long as this.
          refusal(text.slice(0, 4_096));
          refusal(text, prose);
          skeleton(text);
        };
      });
      expect(power).toBeLessThan(AS_ITS_LENGTH);
    },
  );

  it('copied text in several lines may hold what is not seen: nobody could find it', () =>
    expect(refusal('copied\u00ad text\u200b', prose)).toBe(''));
});

it.each([
  ['Ma\u200bya', 'Maya'],
  [`Z${'\u0335'.repeat(30)}algo`, `Z${'\u0335'.repeat(3)}algo`],
  ['A\u{e0041}da 👩‍🚀', 'Ada 👩‍🚀'],
])('a name from Telegram, %j, is shown as %j', (given, shown) => expect(displayName(given, null, '1234')).toBe(shown));
