import { describe, expect, it } from 'vitest';
import { failuresOf, judgeSecondTries, MOST_SECOND_TRIES, passedAtSecondTry } from '../support/run-report.mjs';

const file = (cases: Record<string, 'passed' | 'failed' | 'skipped'>, message = '') => ({
  name: '/tests/browser/story.test.ts',
  status: message || Object.values(cases).includes('failed') ? 'failed' : 'passed',
  message,
  assertionResults: Object.entries(cases).map(([fullName, status]) => ({
    fullName,
    status,
    failureMessages: status === 'failed' ? ['Error: no'] : [],
  })),
});

describe('a file’s failures', () => {
  it('are its failed and its skipped cases', () => {
    expect(failuresOf(file({ a: 'passed', b: 'failed', c: 'skipped' }))).toEqual(['b: Error: no', 'c: skipped']);
  });

  it('are one where it does not load', () => {
    expect(failuresOf(file({}, 'no such module'))).toEqual(['/tests/browser/story.test.ts: no such module']);
  });
});

describe('a test that passes at its second try', () => {
  it('is named, one that fails again or passed before is not', () => {
    const first = file({ a: 'passed', b: 'failed', c: 'failed' });
    expect(passedAtSecondTry(first, file({ a: 'passed', b: 'passed', c: 'failed' }))).toEqual(['b']);
    expect(passedAtSecondTry(first, undefined)).toEqual([]);
  });

  it('is its file where the file did not load before', () => {
    const broken = file({}, 'no browser');
    expect(passedAtSecondTry(broken, file({ a: 'passed' }))).toEqual([broken.name]);
    expect(passedAtSecondTry(broken, broken)).toEqual([]);
  });

  it('is forgiven three times a run, and the fourth fails the run', () => {
    expect(judgeSecondTries([])).toEqual({ lines: [], failed: 0 });
    const names = ['a', 'b', 'c', 'd'];
    expect(judgeSecondTries(names.slice(0, MOST_SECOND_TRIES))).toEqual({
      lines: ['3 passed at the second try (at most 3)', '  a', '  b', '  c'],
      failed: 0,
    });
    expect(judgeSecondTries(names)).toMatchObject({ failed: 1 });
    expect(judgeSecondTries(names).lines[0]).toBe('4 passed at the second try (at most 3): too many');
  });
});
