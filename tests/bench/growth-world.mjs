// @ts-check
/** Worlds that `growth` measures: made once, kept between runs, made anew when the schema or what is written into it has changed. */
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './instance.mjs';

const KEEP = process.env['BENCH_KEEP'] ?? '/var/tmp/muster-growth';
const DAYS = Number(process.env['BENCH_DAYS'] ?? 365);
const EXTERNAL = process.env['BENCH_DATABASE_URL'];
const SEEDS = ['grown-world.sql', 'grown-counts.sql'].map((file) => join(root, 'tests/support', file));
const MIGRATIONS = join(root, 'server/storage/migrations');
/** People of one step. */
const AT_ONCE = 1_000;

/** @typedef {(url: string, options: object) => import('postgres').Sql} Connect */

function schemaName() {
  const hash = createHash('sha256').update(`${DAYS}`);
  const files = readdirSync(MIGRATIONS)
    .sort()
    .map((file) => join(MIGRATIONS, file));
  for (const file of [...files, ...SEEDS]) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 8);
}

/**
 * Where a world of so many members stands, or will. What an older schema left of this size is removed, and so is what was not
 * made to its end. @param {Connect} connectTo @param {number} size
 */
export async function placeOf(connectTo, size) {
  const kind = EXTERNAL ? 'external' : 'embedded';
  const name = `${kind}-${size}-${schemaName()}`;
  const home = join(KEEP, name);
  mkdirSync(KEEP, { recursive: true });
  for (const folder of readdirSync(KEEP))
    if (folder.startsWith(`${kind}-${size}-`) && (folder !== name || !existsSync(join(home, 'made'))))
      rmSync(join(KEEP, folder), { recursive: true });
  const isMade = existsSync(join(home, 'made'));
  mkdirSync(home, { recursive: true });
  // The built-in server runs as another user where this is root.
  for (const folder of [KEEP, home]) chmodSync(folder, 0o711);
  const url = EXTERNAL ? await ownDatabase(connectTo, EXTERNAL, { size, name, isMade }) : null;
  return { home, url, isMade, made: () => writeFileSync(join(home, 'made'), '') };
}

/** @param {Connect} connectTo @param {string} url @param {{ size: number, name: string, isMade: boolean }} world */
async function ownDatabase(connectTo, url, { size, name, isMade }) {
  const own = `muster_growth_${name.replaceAll('-', '_')}`;
  const admin = connectTo(url, { max: 1 });
  try {
    const there =
      await admin`select datname as name from pg_database where datname like ${`muster\\_growth\\_external\\_${size}\\_%`}`;
    const isThere = there.some((row) => row['name'] === own);
    for (const row of there)
      if (row['name'] !== own || !isMade) await admin`drop database ${admin(String(row['name']))} with (force)`;
    if (isMade && !isThere) throw new Error(`${own} is gone: remove ${join(KEEP, name)}, so that it is made again.`);
    if (!isMade) await admin`create database ${admin(own)}`;
  } finally {
    await admin.end();
  }
  return Object.assign(new URL(url), { pathname: `/${own}` }).href;
}

/**
 * Fills a database that has the product's schema and nothing else.
 * @param {import('postgres').Sql} sql one connection: what it makes meanwhile is its own
 * @param {(tx: unknown, people: string[]) => Promise<number>} makeRuns of the product
 * @param {number} size
 */
export async function fill(sql, makeRuns, size) {
  const [world, counts] = SEEDS.map((file) => readFileSync(file, 'utf8'));
  const filled = (/** @type {string | undefined} */ seed) =>
    sql.unsafe(String(seed).replaceAll(':people', `${size}`).replaceAll(':days', `${DAYS}`));
  await filled(world);
  await sql`analyze`;
  await filled(counts);
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const people = await sql`select id from users where id > ${after} order by id limit ${AT_ONCE}`;
    await makeRuns(
      sql,
      people.map((row) => String(row['id'])),
    );
    if (people.length < AT_ONCE) break;
    after = String(people.at(-1)?.['id']);
  }
  await sql`update users set role = 'admin' where telegram_user_id = 10000010`;
}
