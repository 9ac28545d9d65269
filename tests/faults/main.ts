import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { findChromium, findFirefox } from '../support/chromium.mjs';
import { CASES, type Case, CLAIMS, type Scene } from './cases.ts';
import { type Device, type Engine, type EngineName, startEngine } from './engines.ts';
import { runPeer, startPeers } from './peers.ts';
import { noFault } from './proxy.ts';
import { openStage, type Stage } from './stage.ts';
import { comparison, type Row, table } from './table.ts';
import { countStored, STORED_WITHIN_MS, until } from './truth.ts';

/** So long it is watched whether anything comes twice. */
const WATCHED_MS = 1_500;

export type Options = { engine: string[]; case: string[]; peers: boolean; json?: string | undefined };

/** Runs what was asked for and prints the tables. Answers the exit code. */
export async function faults(options: Options): Promise<number> {
  const rows: Row[] = [];
  const stage = await openStage();
  const peers = options.peers ? await startPeers(stage.folder) : [];
  for (const { proxy } of peers) {
    stage.ports.push(proxy.port);
    stage.proxies.push(proxy);
  }
  let engine: Engine | undefined;
  // A namespace and a database would outlive a harness that is told to stop.
  const abandon = () => {
    engine?.close();
    void stage.close().finally(() => process.exit(130));
  };
  process.once('SIGINT', abandon).once('SIGTERM', abandon);
  const wanted = (name: string) => options.case.length === 0 || options.case.some((part) => name.includes(part));
  try {
    for (const name of options.engine) {
      engine = await startEngine(name as EngineName, await executableOf(name), stage);
      try {
        const own: Row[] = [];
        for (const one of CASES.filter(({ name }) => wanted(name))) {
          const row = await runCase(one, engine, stage);
          own.push(row);
          tell(row);
        }
        console.log(`\n${name} (${engine.means})\n\n${table(own)}\n`);
        const theirs: Row[] = [];
        for (const peer of peers) theirs.push(...(await runPeer(peer, engine, wanted, tell)));
        if (theirs.length > 0) console.log(`${name}, side by side\n\n${comparison([...own, ...theirs])}\n`);
        rows.push(...own, ...theirs);
      } finally {
        engine.close();
      }
    }
  } finally {
    for (const peer of peers) peer.close();
    await stage.close();
  }
  if (options.json) {
    const told = rows.map((row) => ({ ...row, ok: isGood(row) }));
    writeFileSync(options.json, JSON.stringify(told, null, 2));
  }
  return rows.filter(({ subject }) => subject === OWN).every(isGood) ? 0 : 1;
}

const OWN = 'Muster';
const tell = (row: Row) => {
  const why = row.trouble ? ` (${row.trouble})` : '';
  console.log(`${isGood(row) ? 'ok  ' : 'FAIL'} ${row.engine}, ${row.subject}: ${row.name}${why}`);
};
const isGood = ({ lost, twice, foreign, trouble }: Row) => lost === 0 && twice === 0 && foreign === 0 && !trouble;

async function executableOf(name: string): Promise<string> {
  const found = name === 'chromium' ? await findChromium() : findFirefox();
  if (!found) throw new Error(`There is no ${name} on this machine`);
  return found;
}

let cases = 0;

async function runCase(one: Case, engine: Engine, stage: Stage): Promise<Row> {
  cases += 1;
  const cast = await stage.gather(CLAIMS);
  const device = await engine.newDevice({ prefs: one.firefoxPrefs ?? {} });
  const scene: Scene = { engine, stage, device, cast, tag: `fault${cases}x${process.pid}` };
  const outputBefore = stage.output().length;
  const base = { engine: engine.name, subject: OWN, name: one.name };
  try {
    await device.signedInAs(cast.member);
    const { raised, back } = await one.play(scene);
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
    await new Promise((done) => setTimeout(done, WATCHED_MS));
    const { logs, claims, twice, foreign } = await countStored(stage.sql, raised, cast);
    const stored = logs + claims;
    const lost = total - stored - dropped();
    return { ...base, raised: total, stored, dropped: dropped(), lost, twice, foreign, seconds };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    await picture(device, `${engine.name}-${one.name}`);
    return { ...base, raised: 0, stored: 0, dropped: 0, lost: 0, twice: 0, foreign: 0, seconds: null, trouble: text };
  } finally {
    await device.close();
    stage.proxy.rule = noFault;
    stage.proxy.delayMs = 0;
    await engine.mend(device).catch(() => undefined);
  }
}

/** What the page looked like when the case could not be played. */
async function picture(device: Device, name: string): Promise<void> {
  const path = resolve(import.meta.dirname, '../.artifacts', `fault-${name.replace(/\W+/g, '-')}.png`);
  await device
    .page()
    .screenshot({ path })
    .catch(() => undefined);
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
