// @ts-check
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** What stands in a checkout, and would be of no use in a copy. */
const LEFT_OUT = new Set(['node_modules', '.git', 'data', 'tests/.artifacts'].map((path) => join(root, path)));

/**
 * A copy of the checkout, with its build, in which sources may be changed. Its packages are links to ours; what tools keep
 * beside packages is its own. Whoever calls this removes it. @returns {string} its folder, a temporary one
 */
export function copyCheckout() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-copy-')));
  cpSync(root, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(path) });
  mkdirSync(join(folder, 'node_modules'));
  const packages = readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.') || name === '.bin');
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  return folder;
}

/** A mistake: text of a source that is there once, and what stands there instead. @typedef {{ file: string, from: string, to: string }} Edit */

/**
 * Plants mistakes in a copy. @param {string} folder @param {readonly Edit[]} edits @returns {() => void} takes them out
 * @throws where a text is not found, or more than once
 */
export function plant(folder, edits) {
  const before = new Map(edits.map(({ file }) => [join(folder, file), readFileSync(join(folder, file), 'utf8')]));
  const texts = new Map(before);
  for (const { file, from, to } of edits) {
    const parts = texts.get(join(folder, file))?.split(from) ?? [];
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once: ${from}`);
    texts.set(join(folder, file), parts.join(to));
  }
  for (const [path, text] of texts) writeFileSync(path, text);
  return () => {
    for (const [path, text] of before) writeFileSync(path, text);
  };
}
