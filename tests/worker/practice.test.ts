import { describe, expect, test } from 'vitest';
import { notePractice, readPractice } from '../../worker/practice.ts';
import type { PracticeCard } from '../../worker/schema.ts';
import { dexieStorage } from '../../worker/storage/dexie.ts';
import { memoryStorage } from '../../worker/storage/memory.ts';
import { getMeta, putMeta } from '../../worker/storage/storage.ts';

const card = (lastAt: number, over: Partial<PracticeCard> = {}): PracticeCard => ({
  dueAt: lastAt + 86_400_000,
  lastAt,
  lastRight: true,
  interval: 1,
  stability: 2,
  difficulty: 5,
  reps: 1,
  lapses: 0,
  state: 2,
  ...over,
});
const note = (question: string, lastAt: number, isRight = true, pack = 'defi') => ({
  pack,
  question,
  card: card(lastAt, { lastRight: isRight }),
  day: '2026-11-26',
  isRight,
});
let databases = 0;
const durable = () => {
  databases += 1;
  return dexieStorage(`practice-${databases}`);
};

describe.each([
  ['the database', durable],
  ['memory', async () => memoryStorage()],
])('practice kept in %s', (_, open) => {
  test('is read again by pack and question, with its days', async () => {
    const storage = await open();
    await notePractice(storage, 'u1', note('a', 1));
    await notePractice(storage, 'u1', note('b', 2, false));
    await notePractice(storage, 'u1', note('c', 3, true, 'privacy'));
    expect(await readPractice(storage, 'u1')).toEqual({
      cards: { defi: { a: card(1), b: card(2, { lastRight: false }) }, privacy: { c: card(3) } },
      days: { '2026-11-26': { answered: 3, right: 2 } },
    });
  });

  test('is each member’s own, and nobody’s is one too; a fact of the device is in none of them', async () => {
    const storage = await open();
    await storage.run(['meta'], (tx) => putMeta(tx, 'member', 'u1'));
    await notePractice(storage, 'u1', note('a', 1));
    await notePractice(storage, '', note('b', 1));
    await notePractice(storage, 'u11', note('c', 1));
    const cardsOf = async (who: string) => (await readPractice(storage, who)).cards;
    expect(await cardsOf('u1')).toEqual({ defi: { a: card(1) } });
    expect(await cardsOf('')).toEqual({ defi: { b: card(1) } });
    expect(await cardsOf('u2')).toEqual({});
    expect(await storage.run(['meta'], (tx) => getMeta(tx, 'member'))).toBe('u1');
  });

  test('keeps the later of two answers that two tabs gave, and counts both', async () => {
    const storage = await open();
    await Promise.all([notePractice(storage, '', note('a', 9)), notePractice(storage, '', note('a', 5, false))]);
    const { cards, days } = await readPractice(storage, '');
    expect(cards['defi']?.['a']?.lastAt).toBe(9);
    expect(days['2026-11-26']).toEqual({ answered: 2, right: 1 });
  });
});
