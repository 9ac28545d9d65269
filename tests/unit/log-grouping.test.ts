import { expect, test } from 'vitest';
import { createGrouper } from '../../server/features/client-logs/group.ts';
import type { Resolve } from '../../server/features/client-logs/maps.ts';
import { corpus, originals } from '../grouping/corpus.mjs';
import { measure } from '../grouping/measure.mjs';

/** Maps as the server keeps them, for the builds of the corpus. */
const resolve: Resolve = (frame) => {
  const found = originals.get(`${frame.file}:${frame.line}:${frame.column}`);
  const { function: name, file, line, column } = frame;
  if (!found)
    return {
      original: false,
      inApp: /^https:\/\/\w+\.example\//.test(file ?? ''),
      function: name,
      file,
      line,
      column,
      code: null,
    };
  return {
    original: true,
    inApp: found.inApp,
    function: found.fn,
    file: found.source,
    line: found.line,
    column: 1,
    code: { start: found.line, lines: [`  ${found.code}`] },
  };
};
const group = createGrouper(resolve);
const given = (sample: { message: string; stack: string | null; release: string }) =>
  group(sample)[0].fingerprint.toString('hex');

test('of at least 300 errors with known causes, pairs are put together and kept apart as they should be', () => {
  const result = measure(corpus.map((sample) => ({ truth: sample.group, given: given(sample) })));
  const { precision, recall, mixed, torn, ...sizes } = result;
  const shown = `grouping: ${sizes.samples} errors of ${sizes.truths} causes in ${sizes.groups} groups, precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`;
  process.stdout.write(
    `${[shown, ...mixed.map((one) => `  together: ${one}`), ...torn.map((one) => `  apart: ${one}`)].join('\n')}\n`,
  );
  expect(sizes.samples).toBeGreaterThanOrEqual(300);
  expect(precision).toBeGreaterThanOrEqual(0.95);
  expect(recall).toBeGreaterThanOrEqual(0.95);
});

test('what stands in JSON of why is whole, wherever a long text was cut', () => {
  const frame = (name: string) => `Error: x\n    at ${name} (https://m.example/assets/app-12345678.js:1:2)`;
  for (const length of [119, 120, 159, 160, 299, 300])
    for (const sample of [
      { message: `Error: ${'a'.repeat(length)}🎈b`, stack: null },
      { message: `TypeError: ${'a'.repeat(length)}🎈b is not a function`, stack: null },
      { message: 'x', stack: frame(`${'a'.repeat(length)}🎈b`) },
    ]) {
      const [{ why }] = group({ ...sample, release: null });
      expect([why.type, why.message, ...why.frames].every((text) => text.isWellFormed())).toBe(true);
    }
});
