import { describe, expect, it } from 'vitest';
import { slugProblem, suggestSlug } from '../../../app/lib/slug.ts';

describe('an address suggested from a name', () => {
  it.each([
    ['Ridge & Valley Walkers', 'ridge-and-valley-walkers'],
    ['  Fernmap  contributors! ', 'fernmap-contributors'],
    ['Café Zürich', 'cafe-zurich'],
    ['Straße', 'strasse'],
    ["Abbot's Mill", 'abbots-mill'],
    ['Волонтёры', ''],
  ])('makes %j into %j', (name, slug) => {
    expect(suggestSlug(name)).toBe(slug);
  });

  it('cuts a long name between words', () => {
    const slug = suggestSlug('The very long name of a community that never ends');
    expect(slug).toBe('the-very-long-name-of-a');
    expect(slugProblem(slug, 'muster')).toBeNull();
  });

  it('cuts one endless word hard', () => {
    expect(suggestSlug('a'.repeat(50))).toHaveLength(32);
  });
});

describe('what is wrong with an address', () => {
  it.each([
    ['ab', 'short'],
    ['a'.repeat(33), 'long'],
    ['Ridge', 'characters'],
    ['ridge valley', 'characters'],
    ['-ridge', 'hyphens'],
    ['ridge--valley', 'hyphens'],
    ['2026', 'numeric'],
    ['communities', 'reserved'],
    ['muster-ai', 'reserved'],
    ['ridge-valley', null],
  ])('%j: %s', (slug, problem) => {
    expect(slugProblem(slug, 'muster')).toBe(problem);
  });
});
