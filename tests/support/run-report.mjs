// @ts-check
/** What a run of the tests makes of the reports of its steps. */

/** So many browser tests may pass at their second try only; one more fails the run. */
export const MOST_SECOND_TRIES = 3;

/**
 * What Vitest says of its files.
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} TestCase
 * @typedef {{ name: string, status: string, message: string, assertionResults: TestCase[] }} TestFile
 */

/** @param {string} text */
const firstLines = (text) => text.split('\n').slice(0, 12).join('\n    ');

/**
 * The failures of a file, each in a few lines. A file that does not load counts as one failure, and so does a skipped
 * case: neither proves anything.
 * @param {TestFile} file @returns {string[]}
 */
export function failuresOf({ name, status, message, assertionResults }) {
  const failed = assertionResults
    .filter((one) => one.status !== 'passed')
    .map((one) => `${one.fullName}: ${firstLines(one.failureMessages[0] ?? one.status)}`);
  return failed.length === 0 && status === 'failed' ? [`${name}: ${firstLines(message)}`] : failed;
}

/**
 * The cases that failed in a file's first run and passed in its second, by name. A file that did not load the first
 * time counts as one.
 * @param {TestFile} first @param {TestFile | undefined} second @returns {string[]}
 */
export function passedAtSecondTry(first, second) {
  const passed = new Set(
    second?.assertionResults.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName),
  );
  const failed = first.assertionResults.filter(({ status }) => status !== 'passed').map(({ fullName }) => fullName);
  if (failed.length > 0) return failed.filter((name) => passed.has(name));
  return first.status === 'failed' && second?.status === 'passed' ? [first.name] : [];
}

/**
 * What is printed of the tests that passed at their second try, and how many failures they are together: 0 or 1.
 * @param {string[]} names @returns {{ lines: string[], failed: number }}
 */
export function judgeSecondTries(names) {
  if (names.length === 0) return { lines: [], failed: 0 };
  const isTooMany = names.length > MOST_SECOND_TRIES;
  return {
    lines: [
      `${names.length} passed at the second try (at most ${MOST_SECOND_TRIES})${isTooMany ? ': too many' : ''}`,
      ...names.map((name) => `  ${name}`),
    ],
    failed: isTooMany ? 1 : 0,
  };
}
