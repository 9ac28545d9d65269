import { describe, expect, it } from 'vitest';
import { choicesOf, matching } from '../../../app/features/communities/directory.ts';
import { pointsIn } from '../../../app/features/leader/points.ts';
import { browserName } from '../../../app/features/profile/browser-name.ts';
import { dashboardOf } from './support.ts';

const community = (name: string, tags: string[], languages: string[]) => ({
  ...dashboardOf([]).community,
  id: name,
  slug: name.toLowerCase(),
  name,
  tags,
  languages,
});
const all = [community('Café Walkers', ['hiking', 'maps'], ['en', 'de']), community('Fernmap', ['maps'], ['en'])];
const found = (search: Partial<Parameters<typeof matching>[1]>) =>
  matching(all, { text: '', tag: '', language: '', ...search }).map(({ name }) => name);

describe('the directory', () => {
  it('finds every word anywhere, without minding accents and capitals', () => {
    expect(found({ text: 'cafe  WALK' })).toEqual(['Café Walkers']);
    expect(found({ text: 'maps' })).toEqual(['Café Walkers', 'Fernmap']);
    expect(found({ text: 'maps nowhere' })).toEqual([]);
  });

  it('narrows by tag and language together', () => {
    expect(found({ tag: 'maps', language: 'de' })).toEqual(['Café Walkers']);
    expect(found({})).toHaveLength(2);
  });

  it('offers the commonest values first', () => {
    expect(choicesOf(all.map(({ tags }) => tags))).toEqual(['maps', 'hiking']);
  });
});

describe('points as a leader types them', () => {
  it.each([
    ['10', 10],
    [' 0 ', 0],
    ['1000', 1000],
    ['1001', null],
    ['-5', null],
    ['2.5', null],
    ['', null],
    ['ten', null],
  ])('%j: %s', (text, points) => {
    expect(pointsIn(text)).toBe(points);
  });
});

describe('a session by its browser', () => {
  it('names browser and system as people do', () => {
    const edge = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0';
    const phone = 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36';
    expect(browserName(edge)).toEqual({ browser: 'Edge', system: 'Windows' });
    expect(browserName(phone)).toEqual({ browser: 'Chrome', system: 'Android' });
  });

  it('does not guess', () => {
    expect(browserName('curl/8')).toBeNull();
    expect(browserName(null)).toBeNull();
  });
});
