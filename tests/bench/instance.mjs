// @ts-check
/** The built product as `npm start` runs it, on data and ports of its own, with a look at its processes and its database. */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import postgres from 'postgres';

export const root = resolve(import.meta.dirname, '../..');
/** What the kernel counts CPU time in, per second. */
const TICKS = 100;

/** @returns {Promise<number>} a port that was free just now */
export const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer().once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => (typeof address === 'object' && address ? done(address.port) : fail(new Error('no port'))));
    });
  });

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** @param {number} ms */
export const wait = (ms) => new Promise((done) => setTimeout(done, ms));
/** @param {number[]} values */
export const median = (values) => [...values].sort((a, b) => a - b)[(values.length - 1) >> 1] ?? Number.NaN;
/** @param {number[]} values @param {number} share */
export const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)] ?? Number.NaN;

/** Starts an instance; `home` keeps an earlier one's data. @param {{ home?: string }} [options] */
export async function startInstance(options = {}) {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'muster-bench-')));
  const ports = { app: await freePort(), sandbox: await freePort() };
  const url = `http://localhost:${ports.app}`;
  const begun = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist/server/start.js')], {
    cwd: root,
    env: { ...process.env, NODE_ENV: '', PORT: `${ports.app}`, SANDBOX_PORT: `${ports.sandbox}`, MUSTER_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (output += String(text)));
  for (;;) {
    if (child.exitCode !== null || performance.now() - begun > 60_000)
      throw new Error(`the instance did not start:\n${output.slice(-3_000)}`);
    if ((await fetch(`${url}/readyz`).catch(() => null))?.ok) break;
    await wait(10);
  }
  const readyMs = performance.now() - begun;
  const lock = () => readIfThere(join(home, 'postgres/db/postmaster.pid')).split('\n');
  /** Node and PostgreSQL; the sandbox is no part of the product. */
  const processes = () => {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const parents = new Map(
      pids.map((pid) => [pid, readIfThere(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ')[1]]),
    );
    const roots = new Set([String(child.pid), lock()[0] ?? '']);
    const isOurs = (/** @type {string | undefined} */ pid) => {
      for (let at = pid; at && at !== '0'; at = parents.get(at)) if (roots.has(at)) return true;
      return false;
    };
    return pids.filter((pid) => isOurs(pid) && !readIfThere(`/proc/${pid}/cmdline`).includes('sandbox.js'));
  };
  return {
    url,
    home,
    readyMs,
    /** Ids of the processes: Node and PostgreSQL. */
    pids: () => processes().map(Number),
    /** Milliseconds of CPU that Node and PostgreSQL have used so far. */
    cpuMs: () => processes().reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    /** Memory that is resident because of us, in MB: pages that processes share count once (PSS). */
    residentMb: () =>
      processes().reduce((sum, pid) => {
        const pss = /^Pss:\s+(\d+)/m.exec(readIfThere(`/proc/${pid}/smaps_rollup`))?.[1];
        return sum + Number(pss ?? 0) / 1024;
      }, 0),
    /**
     * The same by kind, and as if nobody else ran the same programs on this machine. Of `meters`, connections that only
     * measure, nothing counts but their share of what they share. @param {readonly number[]} meters ids of processes
     */
    memoryMb: (meters) => memoryOf(processes(), meters),
    /** A connection to the instance's own database. @param {number} [max] */
    database: (max = 4) => {
      const [, , , port = '5432', socket = ''] = lock();
      return postgres({
        host: socket,
        port: Number(port),
        user: 'muster',
        database: 'muster',
        max,
        onnotice: () => {},
      });
    },
    async stop() {
      if (child.exitCode !== null) return;
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await gone;
    },
    async remove() {
      await this.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** @param {readonly string[]} pids @param {readonly number[]} meters */
function memoryOf(pids, meters) {
  const kinds = { node: 0, connections: 0, 'shared buffers': 0, files: 0 };
  for (const pid of pids) {
    const text = readIfThere(`/proc/${pid}/smaps_rollup`);
    const mb = (/** @type {string} */ name) =>
      Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
    const isNode = readIfThere(`/proc/${pid}/cmdline`).includes('dist/server');
    if (!meters.includes(Number(pid))) kinds[isNode ? 'node' : 'connections'] += mb('Pss_Anon');
    kinds['shared buffers'] += mb('Pss_Shmem');
    kinds.files += mb('Pss_File');
  }
  const mb = Object.values(kinds).reduce((sum, one) => sum + one, 0);
  return { mb, kinds, aloneMb: mb - kinds.files + filesMb(pids) };
}

/**
 * Programs and libraries, as much of each as the process holds that holds the most: all of it is there because of us, also
 * where somebody else on this machine runs the same program. @param {readonly string[]} pids
 */
function filesMb(pids) {
  /** @type {Map<string, number>} */
  const most = new Map();
  for (const pid of pids) {
    let part = '';
    let resident = 0;
    for (const line of readIfThere(`/proc/${pid}/smaps`).split('\n')) {
      const begins = /^[0-9a-f]+-[0-9a-f]+ \S+ (\S+ \S+ \d+) +(.*)/.exec(line);
      if (begins) part = /^\/(?!dev\/|SYSV)/.test(begins[2] ?? '') ? `${begins[1]}` : '';
      if (part === '') continue;
      const [, name, kb] = /^(Rss|Anonymous): +(\d+)/.exec(line) ?? [];
      if (name === 'Rss') resident = Number(kb);
      if (name === 'Anonymous') most.set(part, Math.max(most.get(part) ?? 0, resident - Number(kb)));
    }
  }
  return [...most.values()].reduce((sum, kb) => sum + kb, 0) / 1024;
}

/** @param {string | number | undefined} pid */
export function cpuMsOf(pid) {
  const [, , , , , , , , , , , user = '0', system = '0'] =
    readIfThere(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return ((Number(user) + Number(system)) * 1000) / TICKS;
}

/** Writes members with a session each. @param {import('postgres').Sql} sql @param {number} count */
export async function people(sql, count) {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString('base64url'));
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  const users = await sql`
    insert into users (telegram_user_id, telegram_username, twitter_username, display_name, is_verified, membership)
    select 9000000 + n, 'bench_' || n, 'bench_' || n, 'Person ' || n, true, 'member' from generate_series(1, ${count}) n
    returning id`;
  const now = new Date();
  const ends = new Date(Date.now() + 86_400_000);
  const rows = users.map(({ id }, index) => ({
    token_hash: hashes[index] ?? null,
    user_id: id,
    kind: 'web',
    user_agent: 'bench',
    telegram_at: now,
    created_at: now,
    last_seen_at: now,
    expires_at: ends,
  }));
  await sql`insert into sessions ${sql(rows)}`;
  return users.map(({ id }, index) => ({ id: String(id), cookie: `sid=${tokens[index]}` }));
}

/**
 * A member of the sandbox's first community, which it brings a moment after the start.
 * @param {import('postgres').Sql} sql
 */
export async function memberOfSample(sql) {
  const [member] = await people(sql, 1);
  const first = () => sql`select id, slug from communities order by created_at limit 1`;
  let [place] = await first();
  for (const end = Date.now() + 30_000; !place && Date.now() < end; await wait(100)) [place] = await first();
  if (!member || !place) throw new Error('the sandbox brought no community');
  await sql`insert into community_members (community_id, user_id, role) values (${place['id']}, ${member.id}, 'member')`;
  return { cookie: member.cookie, slug: String(place['slug']) };
}
