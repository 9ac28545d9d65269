// @ts-check
/** What the benchmarks of push play on: a push service in a process of its own, and subscriptions at it. */
import { spawn } from 'node:child_process';
import { createECDH, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { certificate } from '../support/certificate.mjs';
import { people, root } from './instance.mjs';

export function subscriptions() {
  return Array.from({ length: 50 }, () => {
    const ecdh = createECDH('prime256v1');
    return { p256dh: ecdh.generateKeys(), auth: randomBytes(16) };
  });
}

/** `kind` has it take whatever comes. @param {string} folder @param {'kind'} [manner] */
export async function startService(folder, manner) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = certificate('localhost');
  writeFileSync(key, made.key);
  writeFileSync(cert, made.cert);
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'push-service.mjs'), key, cert, ...(manner ? [manner] : [])],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  const { port } = await next();
  return {
    port,
    cert,
    pid: child.pid,
    counts: () => {
      child.stdin.write('\n');
      return next();
    },
    stop: () => child.kill(),
  };
}

/** Threads of the product's app, and their memory. */
export function appProcess() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const { ppid } = { ppid: readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] };
      const parent = readFileSync(`/proc/${ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      if (words.includes(join(root, 'dist/server/main.js')) && parent === String(process.pid)) return Number(pid);
    } catch {
      // It ended while it was looked at.
    }
  }
  throw new Error('the app does not run');
}

/**
 * A community whose members have so many browsers at the push service, five each.
 * @param {{ url: string }} instance
 * @param {import('postgres').Sql} sql
 * @param {{ service: { port: number }, count: number }} wanted
 */
export async function stage(instance, sql, { service, count }) {
  const members = Math.ceil(count / 5);
  await fetch(`${instance.url}/api/vapid-public-key`);
  const [{ key }] = /** @type {any} */ (await sql`select public_key as key from vapid_keys`);
  await people(sql, 1);
  const [{ id: leader }] = /** @type {any} */ (await sql`select id from users where telegram_username = 'bench_1'`);
  await sql`
    insert into users (telegram_user_id, display_name, membership)
    select 8000000 + n, 'Member ' || n, 'member' from generate_series(1, ${members}) n`;
  await sql`
    insert into sessions (token_hash, user_id, kind, expires_at)
    select decode(md5(id::text), 'hex'), id, 'web', now() + interval '1 day' from users where telegram_user_id > 8000000
      and telegram_user_id <= 8000000 + ${members}`;
  const [{ place }] = /** @type {any} */ (
    await sql`
    insert into communities (slug, name, created_by) values ('bench-push', 'Bench', ${leader}) returning id as place`
  );
  await sql`
    insert into community_members (community_id, user_id) select ${place}, user_id from sessions
    where token_hash = decode(md5(user_id::text), 'hex')`;
  const keys = subscriptions();
  const origin = `https://localhost:${service.port}`;
  await sql`
    insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key)
    select user_id, id, ${origin} || '/send/' || lpad(number::text, 9, '0'), ${origin},
      decode((${sql.array(keys.map(({ p256dh }) => p256dh.toString('hex')))}::text[])[1 + number % 50], 'hex'),
      decode((${sql.array(keys.map(({ auth }) => auth.toString('hex')))}::text[])[1 + number % 50], 'hex'), ${key}
    from (select s.user_id, s.id, row_number() over () as number from sessions s cross join generate_series(1, 5)
      where token_hash = decode(md5(user_id::text), 'hex')) as rows
    where number <= ${count}`;
  return { place: String(place), origin };
}

/** One announcement to everybody in the community; gives its id. @param {import('postgres').Sql} sql @param {string} place */
export async function announce(sql, place) {
  const [{ id }] = /** @type {any} */ (
    await sql`
    insert into notifications (topic, community_id, path, title, body, campaign, created_at, send_at)
    values ('announcement', ${place}, '/x', 't', 'b', true, now(), now()) returning id`
  );
  return String(id);
}
