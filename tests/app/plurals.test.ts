import { expect, test } from 'vitest';
import { ruleWords } from '../../app/features/leaderboard/rewards.tsx';
import { m } from '../../app/paraglide/messages.js';
import { stepWords } from '../../app/shared/tasks/gate-words.ts';

test('one of a thing is told as one', () => {
  expect(ruleWords({ type: 'first_come', places: 1, minPoints: 1 })).toBe('For the first to reach 1 point.');
  expect(ruleWords({ type: 'first_come', places: 3, minPoints: 50 })).toBe('For the first 3 to reach 50 points.');
  expect(ruleWords({ type: 'top_n', places: 1 })).toBe('For first place on the leaderboard.');
  expect(stepWords({ is: 'points', atLeast: 1 }, null)).toBe('Have 1 point here');
  expect(m.member_write_left({ count: 1, n: '1' })).toBe('1 character left');
  expect(m.leader_several({ count: 1, n: '1' })).toBe('1 person');
});
