import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RewardRule } from '../../server/contract/seasons.ts';
import {
  type Entrant,
  entrantsHash,
  entrantsOf,
  RAFFLE_METHOD,
  raffle,
  ticketsOf,
  winnersOf,
} from '../../server/domain/draw.ts';
import { verifyDraw } from '../../server/features/rewards/verify-draw.ts';
import { fc } from '../support/chance.ts';

const SEED = Buffer.alloc(32, 7);

/** The draw as the documentation tells it: one box with every ticket in it, written out. */
function oracle(entrants: readonly { userId: string; tickets: number }[], places: number, seedHex: string): string[] {
  let box = entrants.flatMap(({ userId, tickets }) => Array<string>(tickets).fill(userId));
  const won: string[] = [];
  let counter = 0;
  while (won.length < places && box.length > 0) {
    const size = BigInt(box.length);
    const input = seedHex + counter.toString(16).padStart(8, '0');
    counter += 1;
    const word = BigInt(`0x${createHash('sha256').update(input, 'hex').digest('hex').slice(0, 16)}`);
    if (word >= ((1n << 64n) / size) * size) continue;
    const winner = box[Number(word % size)] ?? '';
    won.push(winner);
    box = box.filter((userId) => userId !== winner);
  }
  return won;
}

const people = fc
  .uniqueArray(fc.uuid(), { minLength: 1, maxLength: 40 })
  .chain((ids) =>
    fc.tuple(
      fc.constant([...ids].sort()),
      fc.array(fc.integer({ min: 1, max: 60 }), { minLength: ids.length, maxLength: ids.length }),
    ),
  )
  .map(([ids, tickets]) => ids.map((userId, index) => ({ userId, tickets: tickets[index] ?? 1 })));

describe('a raffle', () => {
  it('is drawn as anybody draws it who reads the documentation', () => {
    fc.assert(
      fc.property(
        people,
        fc.integer({ min: 1, max: 50 }),
        fc.uint8Array({ minLength: 32, maxLength: 32 }),
        (box, places, seed) => {
          const winners = raffle(box, places, Buffer.from(seed));
          expect(winners).toEqual(oracle(box, places, Buffer.from(seed).toString('hex')));
          expect(new Set(winners).size).toBe(Math.min(places, box.length));
        },
      ),
    );
  });

  it('stays what it was: a draw of today verifies in years', () => {
    const box = ['a', 'b', 'c', 'd', 'e', 'f'].map((userId, index) => ({ userId, tickets: index + 1 }));
    expect(raffle(box, 6, SEED).join('')).toBe(oracle(box, 6, SEED.toString('hex')).join(''));
    expect(raffle(box, 6, SEED).join('')).toMatchInlineSnapshot(`"efdbca"`);
  });

  it('gives every ticket its chance', () => {
    const box = [
      { userId: 'one', tickets: 1 },
      { userId: 'three', tickets: 3 },
    ];
    const wins = Array.from({ length: 4_000 }, (_, index) => {
      const seed = createHash('sha256').update(String(index)).digest();
      return raffle(box, 1, seed)[0];
    }).filter((winner) => winner === 'three').length;
    expect(wins / 4_000).toBeCloseTo(0.75, 1);
  });

  it('verifies from its file, and not when anything of it was changed', () => {
    const entrants = ['a', 'b', 'c', 'd', 'e'].map((userId) => ({ userId, tickets: 2 }));
    const file = {
      format: 'muster-raffle-1',
      reward: { id: 'r', name: 'A mug', places: 2 },
      method: RAFFLE_METHOD,
      seed: SEED.toString('hex'),
      seedHash: createHash('sha256').update(SEED).digest('hex'),
      entrantsHash: entrantsHash(entrants),
      entrants,
      winners: raffle(entrants, 2, SEED),
    };
    const check = (change: object) => () => verifyDraw(JSON.stringify({ ...file, ...change }));
    expect(check({})()).toMatch(/^2 winners of “A mug” drawn again from 5 entrants: the same/);
    expect(check({ winners: [...file.winners].reverse() })).toThrow('other winners');
    expect(check({ seed: '00'.repeat(32) })).toThrow('seed');
    expect(check({ entrants: entrants.slice(1) })).toThrow('published digest');
    expect(check({ entrants: [...entrants].reverse() })).toThrow('order');
    for (const other of [{ format: 'muster-ledger-1' }, { seed: 'none' }, { winners: null }]) {
      expect(check(other)).toThrow(/^The file is no draw of a raffle\.$/);
    }
    expect(() => verifyDraw('{')).toThrow(/^The file is no JSON\.$/);
  });
});

describe('the other rules', () => {
  const all: Entrant[] = [
    { userId: 'c', points: 50, place: 1, reached: 3 },
    { userId: 'a', points: 40, place: 2, reached: 1 },
    { userId: 'd', points: 40, place: 3, reached: null },
    { userId: 'b', points: 10, place: 4, reached: 2 },
  ];
  const win = (rule: RewardRule) => winnersOf(rule, entrantsOf(rule, all), SEED);

  it('take everybody, the first to come, the top or a share of it', () => {
    expect(win({ type: 'all', minPoints: 40 })).toEqual(['c', 'a', 'd']);
    expect(win({ type: 'first_come', minPoints: 20, places: 2 })).toEqual(['a', 'c']);
    expect(win({ type: 'first_come', minPoints: 5, places: 9 })).toEqual(['a', 'b', 'c']);
    expect(win({ type: 'top_n', places: 2 })).toEqual(['c', 'a']);
    expect(win({ type: 'top_percent', percent: 30 })).toEqual(['c', 'a']);
    expect(win({ type: 'top_percent', percent: 100 })).toHaveLength(4);
  });

  it('let only those into a raffle who have the points, with a ticket each or one a point', () => {
    const rule = { type: 'raffle', minPoints: 40, places: 1, tickets: 'by_points' } as const;
    expect(entrantsOf(rule, all).map((one) => ticketsOf(rule, one))).toEqual([
      { userId: 'a', tickets: 40 },
      { userId: 'c', tickets: 50 },
      { userId: 'd', tickets: 40 },
    ]);
    expect(ticketsOf({ ...rule, tickets: 'one_each' }, all[0]!).tickets).toBe(1);
  });
});
