import { expect, test } from 'vitest';
import { checkedText, retrieved } from '../../server/rules/citations.ts';
import { fc } from '../support/chance.ts';

const source = (id: string) => ({ id, kind: 'guide' as const, title: id, where: '', href: `/${id}` });
function read() {
  const made = retrieved();
  for (const id of ['a', 'b', 'c']) made.add(source(id));
  return made;
}

test('a text says the same however it is cut into pieces', () => {
  const words = fc.constantFrom(
    'Yes. ',
    '[1]',
    '[2, 9]',
    '[ 3 ; 1 ]',
    '[source 2]',
    '[99]',
    '[1000]',
    'see https://evil.example/x ',
    'a [note] ',
    '\n',
    '[',
    ']',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.array(fc.nat(60), { maxLength: 6 }), (parts, cuts) => {
      const text = parts.join('');
      const whole = checkedText(read());
      const expected = whole.take(text) + whole.rest();
      const piecewise = checkedText(read());
      let said = '';
      let from = 0;
      for (const cut of [...cuts].sort((a, b) => a - b)) {
        said += piecewise.take(text.slice(from, cut));
        from = Math.max(from, cut);
      }
      said += piecewise.take(text.slice(from)) + piecewise.rest();
      expect(said).toBe(expected);
      expect(piecewise.sources()).toEqual(whole.sources());
    }),
  );
});

test('only what was read is cited, in the order in which it appears; addresses are left out', () => {
  const text = checkedText(read());
  const said = text.take('One [3]. Two [1, 7]. Three [3][42][1000]. See https://evil.example/?q=1 now.') + text.rest();
  expect(said).toBe('One [1]. Two [2]. Three [1]. See  now.');
  expect(text.sources().map(({ number, href }) => [number, href])).toEqual([
    [1, '/c'],
    [2, '/a'],
  ]);
});
