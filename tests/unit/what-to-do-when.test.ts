import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CheckName } from '../../server/contract/overview.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations/what-to-do-when.md'), 'utf8');
const sections = page.split(/^## /m).slice(1);

test('each check has its section of what to do when it is bad, and each section its check', () => {
  const named = sections.map((section) => section.split('\n', 1)[0]);
  expect(named).toEqual(CheckName.options);
});
