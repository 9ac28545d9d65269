import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyCheckout, plant } from '../support/checkout.mjs';

/** Mistakes that the harness must find: lines of the product's sources, and what stands there instead. */
const MISTAKES: Record<string, Parameters<typeof plant>[1]> = {
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

/** Builds the product with one mistake in it. Answers its folder of `dist`, and how to be rid of it. */
export function buildBroken(name: string): { dist: string; remove(): void } {
  const edits = MISTAKES[name];
  if (!edits) throw new Error(`--broken takes one of: ${Object.keys(MISTAKES).join(', ')}`);
  const folder = copyCheckout();
  plant(folder, edits);
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--app'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { dist: join(folder, 'dist'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
