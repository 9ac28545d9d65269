// @ts-check
/** `COPY` beside intake of client logs: as a server by hand, and from a process that has its rows already. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { freePort, root, wait } from './instance.mjs';

/**
 * What somebody would write by hand for batches: parse, one COPY, whose commit is as durable as ours, and answer. No check,
 * no scrubbing, and an id that was there before fails the whole batch.
 * @param {import('postgres').Sql} sql
 */
export async function startCopier(sql) {
  const port = await freePort();
  const at = { host: sql.options.host[0], port: sql.options.port[0] };
  await sql`create table bench_copy (id uuid primary key, received_at timestamptz, sender text, entry text)`;
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { createServer } from 'node:http';
       import postgres from 'postgres';
       const at = ${JSON.stringify({ ...at, user: 'muster', database: 'muster', max: 1 })};
       const lanes = Array.from({ length: 4 }, () => ({ sql: postgres(at), last: Promise.resolve() }));
       const copy = async (sql, rows) => {
         const stream = await sql\`copy bench_copy from stdin\`.writable();
         await new Promise((done, fail) => stream.once('error', fail).once('finish', done).end(rows));
       };
       let turn = 0;
       createServer((req, res) => {
         const parts = [];
         req.on('data', (part) => parts.push(part)).on('end', async () => {
           const { entries } = JSON.parse(Buffer.concat(parts).toString());
           const now = new Date().toISOString();
           const rows = entries.map(({ id, type, data }) =>
             id + '\\t' + now + '\\t{}\\t' + JSON.stringify({ type, data }).replaceAll('\\\\', '\\\\\\\\') + '\\n').join('');
           const lane = lanes[turn++ % lanes.length];
           await (lane.last = lane.last.then(() => copy(lane.sql, rows)));
           const text = JSON.stringify({ results: entries.map(({ id }) => ({ id, status: 'stored' })) });
           res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
         });
       }).listen(${port}, '127.0.0.1');`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  const url = `http://127.0.0.1:${port}/`;
  const body = JSON.stringify({ entries: [] });
  while (!(await fetch(url, { method: 'POST', body }).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error('the server of COPY ended before it answered');
    await wait(20);
  }
  return { url, kill: () => void child.kill() };
}

/** Rows of the same size, copied in batches of 25 from this very process, which made them before. @param {import('postgres').Sql} sql @param {number} seconds @param {object} entry */
export async function copyRate(sql, seconds, entry) {
  const end = performance.now() + seconds * 1000;
  const text = JSON.stringify({ type: 'error', data: entry }).replaceAll('\\', '\\\\');
  let count = 0;
  const lane = async () => {
    while (performance.now() < end) {
      const rows = Array.from({ length: 25 }, () => `${randomUUID()}\t2026-11-21\t{}\t${text}\n`).join('');
      const stream = await sql`copy bench_copy from stdin`.writable();
      await new Promise((done, fail) =>
        stream
          .once('error', fail)
          .once('finish', () => done(null))
          .end(rows),
      );
      count += 25;
    }
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  return count / seconds;
}
