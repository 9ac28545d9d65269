import { expect, it } from 'vitest';
import { trustOf } from '../../server/domain/trust.ts';

const nobody = {
  accountDays: 0,
  memberDays: 0,
  xLinked: false,
  approved: 0,
  rejected: 0,
  reversed: 0,
  burst: 0,
  alike: 0,
  invitedBeside: 0,
};

it('starts in the middle and lists whatever moved it', () => {
  expect(trustOf(nobody)).toEqual({ score: 50, signals: [] });
  const good = trustOf({ ...nobody, accountDays: 90, memberDays: 30, xLinked: true, approved: 40 });
  expect(good.score).toBe(100);
  expect(good.signals.map(({ code, effect }) => [code, effect])).toEqual([
    ['account_age', 10],
    ['membership_age', 15],
    ['x_linked', 10],
    ['approved_share', 15],
  ]);
});

it('falls with what speaks against it, never below nothing', () => {
  const bad = trustOf({ ...nobody, approved: 2, rejected: 8, reversed: 4, burst: 30, alike: 5, invitedBeside: 9 });
  expect(bad.score).toBe(0);
  expect(bad.signals.every(({ effect, note }) => effect < 0 && note.length > 5)).toBe(true);
});
