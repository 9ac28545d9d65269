import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckName } from '../../server/contract/overview.ts';
import { CHECKS } from '../../server/features/admin/checks.ts';

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs/operations', name), 'utf8');
const sections = read('what-to-do-when.md').split(/^## /m).slice(1);

test('each check has its section of what to do when it is bad, and each section its check', () => {
  const named = sections.map((section) => section.split('\n', 1)[0]);
  expect(named).toEqual(CheckName.options);
});

test('the page about monitoring says after how many minutes each check is told', () => {
  const after = (minutes: number) => (minutes === 0 ? 'at once' : `${minutes} min`);
  const rows = CheckName.options.map((name) => {
    const { badForMin, wellForMin } = CHECKS[name];
    return `| \`${name}\` | ${after(badForMin)} | ${after(wellForMin)} |`;
  });
  expect(
    read('monitoring.md')
      .split('\n')
      .filter((line) => /^\| `\w+` \| (at once|\d+ min) /.test(line)),
  ).toEqual(rows);
});
