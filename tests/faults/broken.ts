import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Mistakes that the harness must find: one line of the product's sources, and what stands there instead. */
const MISTAKES: Record<string, { file: string; from: string; to: string }> = {
  'delete-before-send': {
    file: 'worker/drain.ts',
    from: "await tx.put('outbox', leased);",
    to: "await tx.remove('outbox', head.position);",
  },
  'new-id-each-time': {
    file: 'worker/client-logs.ts',
    from: 'return { id: row.id, type',
    to: 'return { id: crypto.randomUUID(), type',
  },
};

const SOURCES = ['app', 'worker', 'service-worker', 'server', 'vite.config.ts', 'package.json', 'package-lock.json'];

/** Builds the product with one mistake in it. Answers its folder of `dist`, and how to be rid of it. */
export function buildBroken(name: string): { dist: string; remove(): void } {
  const mistake = MISTAKES[name];
  if (!mistake) throw new Error(`--broken takes one of: ${Object.keys(MISTAKES).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'muster-broken-'));
  const isSource = (path: string) => !['node_modules', '.git'].includes(basename(path));
  for (const source of [...SOURCES, 'tsconfig.json'])
    if (existsSync(join(root, source)))
      cpSync(join(root, source), join(folder, source), { recursive: true, filter: isSource });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const path = join(folder, mistake.file);
  const source = readFileSync(path, 'utf8');
  if (source.split(mistake.from).length !== 2) throw new Error(`${mistake.file} reads otherwise now: ${mistake.from}`);
  writeFileSync(path, source.replace(mistake.from, mistake.to));
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--app'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { dist: join(folder, 'dist'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
