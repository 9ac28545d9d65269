import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { beside } from '../../storage/connect.ts';
import { runRules, sendAlerts } from './alerts.ts';
import { createGrouper, type Grouper } from './group.ts';
import { keepHouse } from './housekeeping.ts';
import { createIntake, type Intake } from './intake.ts';
import { mapsUnder, type Resolve } from './maps.ts';
import { createPace } from './pace.ts';
import { createReleases } from './releases.ts';
import { type SortPorts, sortInbox } from './sort.ts';
import { createTail, type Tail } from './tail.ts';

/** What client logs keep while a process runs; one for each runtime. */
export type LogService = {
  /** For reading entries and for the work on them. */
  sql: Sql;
  intake: Intake;
  resolve: Resolve;
  group: Grouper;
  releases: SortPorts['releases'];
  tail: Tail;
  /** Sorts what waits, now; see `sortInbox`. */
  sort(): Promise<number>;
  /** Sorts what another process left here; what this one took in is sorted in its own time. */
  sortLeft(): Promise<void>;
};

/** Long enough that a busy minute is sorted in large batches, short enough for a live tail. */
const SORT_AFTER_MS = 200;
const LOOK_EVERY_MS = 50;
/** While sorting is held. */
const BATCH_EVERY_MS = 400;
const WORK_EVERY_MS = 5_000;
const HOUSE_EVERY_MS = 60_000;
/**
 * A connection that has read thirty days remembers their tables, indexes and plans, 20 MB of them: these two do, so that
 * the pool's need not, and they go when nobody has asked for a while.
 */
const CONNECTIONS = 2;
const IDLE_SECONDS = 60;

const services = new WeakMap<Runtime, LogService>();

export function logServiceOf(runtime: Runtime): LogService {
  const kept = services.get(runtime);
  if (kept) return kept;
  const made = create(runtime);
  services.set(runtime, made);
  return made;
}

function create(runtime: Runtime): LogService {
  const { config, now, log } = runtime;
  const sql = beside(runtime.sql, CONNECTIONS, IDLE_SECONDS);
  const resolve = mapsUnder(config.home);
  const group = createGrouper(resolve);
  const releases = createReleases(runtime.build, now);
  const pace = createPace();
  // Devices wait for intake, nobody for sorting: while both want to work and time allows, a batch is sorted now and then,
  // which shows how fast that goes today, and later every other stretch of time is left to intake.
  let isHeld = false;
  const hold = async (): Promise<void> => {
    for (let held = 0; isHeld && held < BATCH_EVERY_MS; held += LOOK_EVERY_MS) {
      isHeld = intake.isBusy() && pace.mayHold();
      if (isHeld) await pause(LOOK_EVERY_MS);
    }
  };
  const rest = async (tookMs: number): Promise<void> => {
    if (isHeld) await hold();
    else if (intake.isBusy() && pace.mayRest()) await pause(tookMs);
  };
  let sorting: Promise<number> | null = null;
  let isDue = false;
  const sort = async (): Promise<number> => {
    // What arrived while a pass was running waits for the next one.
    await sorting?.catch(() => undefined);
    const told = { rest, onWaiting: pace.saw, onSorted: pace.sorted };
    sorting ??= sortInbox({ sql, group, releases, now, build: runtime.build, ...told }).finally(() => {
      sorting = null;
    });
    return sorting;
  };
  const sortSoon = () => {
    if (isDue) return;
    isDue = true;
    void later();
  };
  const later = async () => {
    await pause(SORT_AFTER_MS);
    isHeld = true;
    await hold();
    isDue = false;
    await sort().catch((error: unknown) => log.warn({ err: error }, 'client logs were not sorted'));
  };
  const onStored = (entries: number) => {
    pace.stored(entries);
    sortSoon();
  };
  const intake = createIntake(runtime.sql, { onStored, fullForMs: pace.fullForMs });
  return {
    sql,
    intake,
    resolve,
    group,
    releases,
    tail: createTail(sql, log),
    sort,
    async sortLeft() {
      if (!isDue) await sort();
    },
  };
}

/** Keeps no process alive. */
const pause = (ms: number): Promise<void> => new Promise((next) => void setTimeout(next, ms).unref());

/**
 * The work that no request asks for: what another process left in the inbox, alerts, partitions and retention.
 * `stop` ends it and every live tail.
 */
export function startLogWork(runtime: Runtime): { stop(): Promise<void> } {
  const service = logServiceOf(runtime);
  const own = { ...runtime, sql: service.sql };
  let running: Promise<void> = Promise.resolve();
  let houseAt = 0;
  let isStopped = false;
  const work = async () => {
    await service.sortLeft();
    await service.intake.writeRefused();
    const time = runtime.now().getTime();
    if (time - houseAt >= HOUSE_EVERY_MS) {
      houseAt = time;
      await keepHouse(own);
      await runRules(own);
    }
    await sendAlerts(own);
  };
  const begin = () => {
    running = running.then(work).catch((error: unknown) => {
      if (!isStopped) runtime.log.warn({ err: error }, 'the work on client logs failed');
    });
  };
  const timer = setInterval(begin, WORK_EVERY_MS).unref();
  begin();
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await service.tail.close();
      await running;
    },
  };
}
