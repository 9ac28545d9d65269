import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const app = resolve(import.meta.dirname, '../../app');
const read = (file: string) => readFileSync(join(app, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
/** Classes with which a selector begins. */
const beginnings = (text: string): string[] =>
  [...text.matchAll(/([^{}]+)\{/g)]
    .flatMap(([, selectors = '']) => selectors.split(','))
    .flatMap((selector) => (/^\s*([^\s>+~]+)/.exec(selector)?.[1] ?? '').match(/\.[\w-]+/g) ?? []);

test('a class is styled by one feature: screens share their styles in few files, and keep those of the screen before', () => {
  const common = new Set(beginnings(read('ui/look.css')));
  const owners = new Map<string, Set<string>>();
  const files = readdirSync(join(app, 'features'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css'))
    .map((name) => `features/${name}`);
  expect(files.length).toBeGreaterThan(10);
  for (const file of files)
    for (const name of beginnings(read(file)))
      if (!common.has(name)) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  expect([...owners].filter(([, of]) => of.size > 1).map(([name, of]) => `${name}: ${[...of].join(', ')}`)).toEqual([]);
});
