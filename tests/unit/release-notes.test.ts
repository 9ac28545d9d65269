import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { notesOf } from '../../server/release/notes.mjs';

const root = resolve(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const CHANGELOG = `# Changelog

## 2.1.0

### Added
- Ships.

### Before you upgrade
- Free 2 GB.

## 2.0.0

### Added
- Boats.
`;

test('the notes of a release are its section alone, and begin with what to do before an upgrade', () => {
  const notes = '# Muster 2.1.0\n\n### Before you upgrade\n- Free 2 GB.\n\n### Added\n- Ships.\n';
  expect(notesOf(CHANGELOG, '2.1.0')).toBe(notes);
});

test('a version that the changelog does not have, or that does not say what to do before an upgrade, is not released', () => {
  expect(() => notesOf(CHANGELOG, '2.1')).toThrow('no section "## 2.1"');
  expect(() => notesOf(CHANGELOG, '2.0.0')).toThrow('no part "### Before you upgrade"');
});

test('the changelog has the notes of the version that package.json names', () => {
  expect(notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)).toMatch(/^### Before you upgrade\n- /m);
});
