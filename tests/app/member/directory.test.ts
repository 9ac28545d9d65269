import { describe, expect, it } from 'vitest';
import { beyondCut, choicesOf, matching, ordered } from '../../../app/features/communities/directory.ts';
import { browserName } from '../../../app/lib/browser-name.ts';
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
  matching(all, { text: '', tag: '', language: '', size: '', ...search }).map(({ name }) => name);

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

  it('asks the server where the list was cut off and something is sought, and for nothing else', () => {
    const cut = Array.from({ length: 60 }, () => all)
      .flat()
      .slice(0, 60);
    const none = { text: '', tag: '', language: '', size: '' };
    expect(beyondCut(all, { ...none, text: 'fern' })).toBeNull();
    expect(beyondCut(cut, none)).toBeNull();
    expect(beyondCut(cut, { ...none, size: 'large' })).toBeNull();
    expect(beyondCut(cut, { ...none, text: ' fern ', size: 'small' })).toEqual({ search: 'fern', below: '50' });
    expect(beyondCut(cut, { ...none, tag: 't'.repeat(100), language: 'de' })).toEqual({
      tag: 't'.repeat(60),
      language: 'de',
    });
  });

  it('narrows by size, and by no size that there is not', () => {
    expect(found({ size: 'middle' })).toHaveLength(2);
    expect(found({ size: 'small' })).toEqual([]);
    expect(found({ size: 'constructor' })).toHaveLength(2);
  });

  it('orders by what is asked for, by name where that says nothing, and leaves the rest as it came', () => {
    const three = [
      { ...community('C', [], []), members: 4, openTasks: 1 },
      { ...community('B', [], []), members: 9, openTasks: 0 },
      { ...community('A', [], []), members: 4, openTasks: 7 },
    ];
    const names = (order: string) => ordered(three, order).map(({ name }) => name);
    expect([names('tasks'), names('members'), names('name')]).toEqual([
      ['A', 'C', 'B'],
      ['B', 'A', 'C'],
      ['A', 'B', 'C'],
    ]);
    expect([names(''), names('toString')]).toEqual([
      ['C', 'B', 'A'],
      ['C', 'B', 'A'],
    ]);
  });

  it('offers the commonest values first', () => {
    expect(choicesOf(all.map(({ tags }) => tags))).toEqual(['maps', 'hiking']);
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
