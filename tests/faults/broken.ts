import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

type Edit = { file: string; from: string; to: string };
/** Mistakes that the harness must find: lines of the product's sources, and what stands there instead. */
const MISTAKES: Record<string, Edit[]> = {
  'delete-before-send': [
    {
      file: 'worker/drain.ts',
      from: 'for (const row of leased) write(outbox, row);',
      to: "for (const row of leased) outbox.writes.push(outbox.tx.remove('outbox', row.position));",
    },
  ],
  'new-id-each-time': [
    {
      file: 'worker/client-logs.ts',
      from: 'return { id: row.id, type',
      to: 'return { id: row.id.slice(0, -4) + String(Date.now()).slice(-4), type',
    },
    {
      file: 'worker/drain-logs.ts',
      from: 'results?.map(({ id, status }) => [id, status])',
      to: 'results?.map(({ status }, at) => [batch.rows[at]?.id, status])',
    },
  ],
};

const SOURCES = ['app', 'worker', 'service-worker', 'server', 'vite.config.ts', 'package.json', 'package-lock.json'];

/** Builds the product with one mistake in it. Answers its folder of `dist`, and how to be rid of it. */
export function buildBroken(name: string): { dist: string; remove(): void } {
  const edits = MISTAKES[name];
  if (!edits) throw new Error(`--broken takes one of: ${Object.keys(MISTAKES).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'muster-broken-'));
  const isSource = (path: string) => !['node_modules', '.git'].includes(basename(path));
  for (const source of [...SOURCES, 'tsconfig.json'])
    if (existsSync(join(root, source)))
      cpSync(join(root, source), join(folder, source), { recursive: true, filter: isSource });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { file, from, to } of edits) {
    const path = join(folder, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`${file} reads otherwise now: ${from}`);
    writeFileSync(path, source.replace(from, to));
  }
  execFileSync(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--app'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { dist: join(folder, 'dist'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
