import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSession } from '../../server/http/session.ts';
import { buildServer } from '../support/built-server.ts';
import { stage } from '../support/engagement.ts';
import { type Started, smallDisk, startProcess, until, visit } from '../support/storage-processes.ts';

const DISK_MB = 260;
const TIMES = 5;
const MEMBERS = 120;
const TASKS = 40;
const SENDERS = 6;

const disk = join(tmpdir(), `muster-full-disk-${randomBytes(4).toString('hex')}`);
const home = join(disk, 'home');
const filler = join(disk, 'filler');
const mounted = smallDisk(disk, DISK_MB);

let app: Started | undefined;
let remove = () => {};
afterAll(async () => {
  app?.child.kill('SIGTERM');
  await app?.ended;
  remove();
  mounted?.remove();
  rmSync(disk, { recursive: true, force: true });
});

let origin = '';
let sql: Sql;
const claims: { path: string; cookie: string; userId: string; taskId: string }[] = [];
if (mounted)
  beforeAll(async () => {
    const built = await buildServer({ main: 'server/main.ts' });
    remove = built.remove;
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    origin = `http://localhost:${port}`;
    const env = { MUSTER_HOME: home, PORT: String(port), PUBLIC_ORIGIN: origin, LOG_LEVEL: 'fatal' };
    app = startProcess(join(built.directory, 'main.js'), { env });
    await saysReady(200);
    sql = visit(home);
    const on = stage(sql);
    const place = await on.community();
    const tasks: string[] = [];
    for (let count = 0; count < TASKS; count += 1) tasks.push(await on.task(place));
    for (let count = 0; count < MEMBERS; count += 1) {
      const userId = await on.member(place.id);
      const { token } = await createSession(sql, { userId, kind: 'web', userAgent: null, now: new Date() });
      for (const taskId of tasks)
        claims.push({
          path: `/api/communities/${place.id}/tasks/${taskId}/claims`,
          cookie: `sid=${token}`,
          userId,
          taskId,
        });
    }
    // Each member's first, then each one's second: nobody sends more than their share of a minute.
    claims.sort((a, b) => (a.taskId < b.taskId ? -1 : a.taskId > b.taskId ? 1 : 0));
  });

const base = () => origin.replace('localhost', '127.0.0.1');
const ready = (): Promise<number> =>
  fetch(`${base()}/readyz`).then(
    (answer) => answer.status,
    () => 0,
  );

/** Longer than a server may be stuck until it is ended and started again. */
const RECOVERS_WITHIN_MS = 60_000;

/** How long until `/readyz` says so, in ms. */
async function saysReady(status: number): Promise<number> {
  const begun = performance.now();
  await until(`/readyz says ${status}`, async () => (await ready()) === status, RECOVERS_WITHIN_MS);
  return performance.now() - begun;
}

/** Writes until nothing fits any more, and on while others give room back. */
function fill(): void {
  const file = openSync(filler, 'a');
  for (const size of [2 ** 20, 4096])
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {}
  closeSync(file);
}

async function playFullDisk(): Promise<void> {
  const acknowledged: { userId: string; taskId: string }[] = [];
  const others = new Map<string, number>();
  let refused = 0;
  let isOver = false;
  const send = async () => {
    for (let claim = claims.shift(); claim && !isOver; claim = claims.shift()) {
      const key = randomUUID();
      for (;;) {
        const answer = await fetch(base() + claim.path, {
          method: 'POST',
          headers: { cookie: claim.cookie, origin, 'idempotency-key': key, 'content-type': 'application/json' },
          body: '{}',
        });
        const text = await answer.text();
        if (answer.status === 201) {
          acknowledged.push(claim);
          break;
        }
        const isTold = answer.headers.has('retry-after') && /"reason":"(STORAGE_|TRY_AGAIN)/.test(text);
        if (answer.status === 503 && isTold) refused += 1;
        else others.set(`${answer.status} ${text.slice(0, 200)}`, (others.get(`${answer.status}`) ?? 0) + 1);
        if (isOver) break;
        await sleep(100);
      }
      await sleep(10);
    }
  };
  const sending = Promise.all(Array.from({ length: SENDERS }, send));
  const followed: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const before = acknowledged.length;
    await until('some are taken', () => acknowledged.length > before + 20);
    const refusedBefore = refused;
    fill();
    followed.push(await saysReady(503));
    await until('writes are refused', () => {
      fill();
      return refused > refusedBefore + 5;
    });
    rmSync(filler);
    followed.push(await saysReady(200));
  }
  const before = acknowledged.length;
  await until('all is well again', () => acknowledged.length > before + 20);
  isOver = true;
  await sending;

  console.info(
    `full disk: ${acknowledged.length} acknowledged, ${refused} refused, /readyz after ${followed.map(Math.round).join(', ')} ms`,
  );
  expect([...others]).toEqual([]);
  const stored = await sql<{ who: string }[]>`
    select c.user_id || ' ' || c.task_id as who from claims c
    join point_events e on e.claim_id = c.id and e.kind = 'award'`;
  const kept = new Set(stored.map(({ who }) => who));
  expect(kept.size).toBe(stored.length);
  expect(acknowledged.filter(({ userId, taskId }) => !kept.has(`${userId} ${taskId}`))).toEqual([]);
}

if (mounted)
  test(
    'on a full disk and out of it again, nothing that was acknowledged is lost',
    playFullDisk,
    3 * RECOVERS_WITHIN_MS,
  );
else
  test('a full disk is not tried here', () =>
    console.warn('A FULL DISK WAS NOT TRIED: it needs root, and leave to mount a small file system.'));
