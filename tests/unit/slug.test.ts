import { describe, expect, it } from 'vitest';
import { GATED_PAGES, PUBLIC_PAGES, reservedNames } from '../../server/contract/pages.ts';
import { readSlug } from '../../server/domain/slug.ts';
import { fc, runs } from '../support/chance.ts';

const reserved = reservedNames('muster');
const read = (typed: string) => readSlug(typed, reserved);

describe('an address', () => {
  it.each(['ridge-valley', 'c64', '2nd-street', 'a-1', 'x'.repeat(32)])('may be %s', (slug) => {
    expect(read(slug)).toEqual({ slug });
  });

  it('is written small, whatever was typed', () => {
    expect(read('Ridge-Valley')).toEqual({ slug: 'ridge-valley' });
    expect(read('ｒｉｄｇｅ')).toEqual({ slug: 'ridge' });
  });

  it.each([
    'ab',
    'x'.repeat(33),
    '12345',
    '2026-11-21',
    '---',
    '-ridge',
    'ridge-',
    'ridge--valley',
    'ridge valley',
    'ridge/valley',
    'ridge.valley',
    'rïdge',
    'ридж',
    'r\u200bidge',
    '',
    'deadbeefdeadbeefdeadbeefdeadbeef',
  ])('may not be “%s”', (typed) => {
    expect(read(typed)).toEqual({ problem: 'SLUG_INVALID' });
  });

  it.each([
    'admin',
    'ADMIN',
    'Admin',
    'ａｄｍｉｎ',
    'adm1n',
    'adrnin',
    'l0gin',
    'supp0rt',
    'commun1ties',
    'muster',
    'mu5ter',
    'muster-ai',
  ])('may not be %s: it is reserved, or looks as if it were', (typed) => {
    expect(read(typed)).toEqual({ problem: 'SLUG_RESERVED' });
  });
});

/** Ways to write a Latin letter that NFKC, case folding or the eye take for it. */
const disguises: Record<string, string[]> = {
  a: ['A', 'ａ', 'ᵃ', 'а', '𝐚'],
  c: ['C', 'ｃ', 'ⅽ', 'с'],
  e: ['E', 'ｅ', 'ℯ', 'е'],
  i: ['I', '1', 'l', 'ｉ', 'ⅰ', 'і', 'İ', 'ı'],
  l: ['L', '1', 'i', 'ｌ', 'ⅼ'],
  m: ['M', 'rn', 'ｍ', 'ⅿ'],
  o: ['O', '0', 'ｏ', 'о', 'º'],
  p: ['P', 'ｐ', 'р'],
  s: ['S', '5', 'ſ', 'ѕ', 'ｓ'],
  w: ['W', 'vv', 'ｗ'],
  '-': ['－', '‐', '-'],
};
const disguised = (word: string) =>
  fc
    .tuple(...[...word].map((letter) => fc.constantFrom(letter, ...(disguises[letter] ?? [letter.toUpperCase()]))))
    .map((letters) => letters.join(''));

describe('no community takes a name of the house', () => {
  it('nor any variant of it in case, Unicode or look', () => {
    fc.assert(
      fc.property(fc.constantFrom(...reserved).chain(disguised), (typed) => {
        expect(read(typed)).toHaveProperty('problem');
      }),
      { numRuns: runs(500) },
    );
  });

  it('nor the first segment of any page, present or to come', () => {
    for (const page of [...PUBLIC_PAGES, ...GATED_PAGES]) {
      const head = page.replace('{product}', 'muster').split('/')[1];
      if (head && !head.startsWith('{')) expect(read(head), head).toHaveProperty('problem');
    }
  });

  it('and what is let through is always plain and fit for a path', () => {
    const soup = fc.string({ unit: fc.constantFrom(...'aZ09-_ /.\u0430\uff41\u200d'), maxLength: 40 });
    fc.assert(
      fc.property(soup, (typed) => {
        const result = read(typed);
        if ('slug' in result) expect(result.slug).toMatch(/^(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});
