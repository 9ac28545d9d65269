import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectTo } from '../../server/storage/connect.ts';
import { type EmbeddedServer, startEmbedded } from '../../server/storage/embedded/embedded.ts';

const home = mkdtempSync(join(tmpdir(), 'muster-memory-'));
let server: EmbeddedServer;
let sql: Sql;
beforeAll(async () => {
  server = await startEmbedded({ home });
  sql = connectTo(server.url(), { max: 1 });
});
afterAll(async () => {
  await sql.end();
  await server.stop();
  rmSync(home, { recursive: true, force: true });
});

/** What the connection's process holds for itself, in bytes. */
async function held(): Promise<number> {
  const [row] = await sql<[{ text: string }]>`select pg_read_file('/proc/self/status', 0, 8000) as text`;
  return Number(/^RssAnon:\s+(\d+) kB/m.exec(row.text)?.[1]) * 1024;
}

describe('a connection to the built-in server', () => {
  it.runIf(process.platform === 'linux')('gives back what its large statements took', async () => {
    const LARGE = 3_000_000;
    const measure = () => sql`select length(${'x'.repeat(LARGE)}::text || 'y')`;
    const before = await held();
    for (let n = 0; n < 3; n += 1) await measure();
    expect((await held()) - before).toBeLessThan(LARGE / 3);
  });
});

/** Makes large pieces twice and lets them go; prints how many bytes the second time left behind, beside what was held. */
const LARGE_PIECES = `
  import { readFileSync } from 'node:fs';
  import { setTimeout as wait } from 'node:timers/promises';
  const held = () => Number(/^RssAnon:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) * 1024;
  const collected = async () => {
    for (let n = 0; n < 3; n += 1) { gc(); await wait(10); }
    return held();
  };
  Buffer.alloc(3_000_000, 1);
  const before = await collected();
  Array.from({ length: 8 }, () => Buffer.alloc(700_000, 1));
  console.log(await collected() - before);`;

describe('npm start', () => {
  it.runIf(process.platform === 'linux')('runs Node so that it gives back what large pieces took', () => {
    const root = resolve(import.meta.dirname, '../..');
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } };
    const command = scripts.start.replace('dist/server/start.js', '--expose-gc --input-type=module --eval "$WORK"');
    const left = execFileSync('/bin/sh', ['-c', command], { env: { ...process.env, WORK: LARGE_PIECES } });
    expect(Number(left)).toBeLessThan(2_000_000);
  });
});
