import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findChromium, findFirefox, findWebkit, WEBKIT_PACKAGES } from '../support/chromium.mjs';
import { buildBroken } from './broken.ts';
import { CASES, type Case, CLAIMS, type Scene } from './cases.ts';
import { DEVICE_CASES } from './device-cases.ts';
import { type Device, type Engine, type EngineName, startEngine } from './engines.ts';
import { noFault } from './proxy.ts';
import { openStage, type Stage } from './stage.ts';
import { type Row, table } from './table.ts';
import { countStored, STORED_WITHIN_MS, until } from './truth.ts';

/** So long it is watched whether anything comes twice. */
const WATCHED_MS = 1_500;

export type Options = { engine: string[]; case: string[]; broken?: string | undefined; json?: string | undefined };

/** Runs what was asked for and prints the tables. Answers the exit code. */
export async function faults(options: Options): Promise<number> {
  const rows: Row[] = [];
  const broken = options.broken === undefined ? null : buildBroken(options.broken);
  try {
    for (const name of options.engine) rows.push(...(await playIn(name as EngineName, options, broken?.dist)));
  } finally {
    broken?.remove();
  }
  if (rows.length === 0) throw new Error(`No case is called ${options.case.join(' or ')}`);
  if (options.json) {
    const played = rows.filter(({ unable }) => unable === undefined);
    writeFileSync(
      options.json,
      JSON.stringify(
        played.map((row) => ({ ...row, ok: isGood(row) })),
        null,
        2,
      ),
    );
  }
  return rows.every(isGood) ? 0 : 1;
}

/** All that was asked for in one engine. */
async function playIn(name: EngineName, options: Options, dist: string | undefined): Promise<Row[]> {
  const executable = await executableOf(name);
  // WebKit keeps no cookie of a page without TLS.
  const stage = await openStage({ tls: name === 'webkit', ...(dist === undefined ? {} : { dist }) });
  let engine: Engine | undefined;
  // A namespace and a database would outlive a harness that is told to stop.
  const abandon = () => {
    engine?.close();
    void stage.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', abandon).once('SIGTERM', abandon);
  const wanted = (name: string) => options.case.length === 0 || options.case.some((part) => name.includes(part));
  try {
    engine = await startEngine(name, executable, stage);
    const rows: Row[] = [];
    for (const one of [...CASES, ...DEVICE_CASES].filter(({ name }) => wanted(name))) {
      const row = await runCase(one, engine, stage);
      rows.push(row);
      tell(row);
    }
    console.log(`\n${name} (${engine.means})\n\n${table(rows)}\n`);
    return rows;
  } finally {
    process.off('SIGINT', abandon).off('SIGTERM', abandon);
    engine?.close();
    await stage.close();
  }
}

const tell = (row: Row) => {
  const why = row.trouble ?? row.unable;
  const verdict = row.unable ? 'none' : isGood(row) ? 'ok  ' : 'FAIL';
  console.log(`${verdict} ${row.engine}: ${row.name}${why ? ` (${why})` : ''}`);
};
const isGood = ({ lost, twice, foreign, trouble, mark }: Row) =>
  lost === 0 && twice === 0 && foreign === 0 && !trouble && mark !== null;

async function executableOf(name: EngineName): Promise<string> {
  const finders = { chromium: findChromium, firefox: findFirefox, webkit: findWebkit };
  if (!(name in finders)) throw new Error(`There is no engine ${name}: ${Object.keys(finders).join(', ')}`);
  const found = await finders[name]();
  if (!found)
    throw new Error(
      `There is no ${name} on this machine${name === 'webkit' ? ` (Debian: apt-get install --no-install-recommends ${WEBKIT_PACKAGES})` : ''}`,
    );
  return found;
}

let cases = 0;

const NOTHING = { raised: 0, stored: 0, dropped: 0, lost: 0, twice: 0, foreign: 0, seconds: null, first: null };

async function runCase(one: Case, engine: Engine, stage: Stage): Promise<Row> {
  const base = { engine: engine.name, name: one.name };
  const unable = one.unable?.[engine.name];
  if (unable !== undefined) return { ...base, ...NOTHING, unable };
  cases += 1;
  const outputBefore = stage.output().length;
  let device: Device | undefined;
  try {
    const cast = await stage.gather(CLAIMS);
    device = await engine.newDevice({ prefs: one.firefoxPrefs ?? {} });
    const scene: Scene = { engine, stage, device, cast, tag: `fault${cases}x${process.pid}` };
    await device.signedInAs(cast.member);
    const { raised, back, mark, later } = await one.play(scene);
    const total = raised.logs + raised.claims;
    const dropped = () => droppedIn(stage.output().slice(outputBefore));
    const isAll = async () => {
      const { logs, claims } = await countStored(stage.sql, raised, cast);
      return logs + claims + dropped() >= total;
    };
    const drained = await until(isAll, STORED_WITHIN_MS);
    const seconds = drained ? (performance.now() - back) / 1000 : null;
    if (!drained) {
      await device.open(`/community/${cast.slug}/dashboard`);
      await until(isAll, 10_000);
    }
    await later?.();
    await new Promise((done) => setTimeout(done, WATCHED_MS));
    const { logs, claims, twice, foreign } = await countStored(stage.sql, raised, cast);
    const stored = logs + claims;
    const lost = total - stored - dropped();
    const first = stage.proxy.writes.find((at) => at >= back);
    const after = first === undefined ? null : (first - back) / 1000;
    const said = mark === undefined ? {} : { mark: mark === null ? null : mark / 1000 };
    return { ...base, raised: total, stored, dropped: dropped(), lost, twice, foreign, seconds, first: after, ...said };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const shown = device ? await picture(device, `${engine.name}-${one.name}`) : '';
    return { ...base, ...NOTHING, trouble: `${text}; it shows: ${shown}` };
  } finally {
    await device?.close();
    stage.proxy.rule = noFault;
    stage.proxy.delayMs = 0;
    if (device) await engine.mend(device).catch(() => undefined);
  }
}

/** What the page looked like when the case could not be played: a picture, and its first words. */
async function picture(device: Device, name: string): Promise<string> {
  const path = resolve(import.meta.dirname, '../.artifacts', `fault-${name.replace(/\W+/g, '-')}.png`);
  try {
    await device.page().screenshot(path);
    return await device.page().evaluate(() => document.body.innerText.replace(/\s+/g, ' ').slice(0, 200), null);
  } catch (error) {
    return `no page (${error})`;
  }
}

/** Entries that devices told the server they had to drop. */
function droppedIn(output: string): number {
  let sum = 0;
  for (const line of output.split('\n')) {
    if (!line.includes('dropped log entries')) continue;
    const { dropped } = JSON.parse(line) as { dropped: number | Record<string, number> };
    sum += typeof dropped === 'number' ? dropped : Object.values(dropped).reduce((one, other) => one + other, 0);
  }
  return sum;
}
