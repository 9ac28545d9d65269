import type { Sql } from 'postgres';
import type { Runtime } from '../../base/runtime.ts';
import { beside } from '../../storage/connect.ts';
import { runRules, sendAlerts } from './alerts.ts';
import { watchDisk } from './disk.ts';
import { createFleet } from './fleet.ts';
import { createGrouper, type Grouper } from './group.ts';
import { cleanLogs } from './housekeeping.ts';
import { type IngestPorts, ingestInbox } from './ingest.ts';
import { createIntake, type Intake } from './intake.ts';
import { mapsUnder, type Resolve } from './maps.ts';
import { createReleases } from './releases.ts';
import { createTail, type Tail } from './tail.ts';
import { budgetOf, createUsage } from './usage.ts';

/** State of client logs while a process runs. */
export type LogService = {
  /** For reading and processing entries. */
  sql: Sql;
  intake: Intake;
  resolve: Resolve;
  group: Grouper;
  fleet: ReturnType<typeof createFleet>;
  releases: IngestPorts['releases'];
  tail: Tail;
  /** Ingests what waits, now; see `ingestInbox`. */
  ingest(): Promise<number>;
  /** Ends every live tail. */
  close(): Promise<void>;
};

/** Long enough that a busy minute is ingested in large batches, short enough for a live tail. */
const INGEST_AFTER_MS = 200;
const WORK_EVERY_MS = 5_000;
const HOUSE_EVERY_MS = 60_000;
/**
 * A connection that has read thirty days holds 20 MB of caches: these two do instead of the pool's, and they close when
 * idle.
 */
const CONNECTIONS = 2;
const IDLE_SECONDS = 60;

export const logServiceOf = ({ own }: Pick<Runtime, 'own'>): LogService => own(create);

function create(runtime: Runtime): LogService {
  const { config, now, log } = runtime;
  const sql = beside(runtime.sql, CONNECTIONS, { idleSeconds: IDLE_SECONDS });
  const resolve = mapsUnder(config.home);
  const group = createGrouper(resolve);
  const releases = createReleases(runtime.build, now);
  const usage = createUsage(sql, budgetOf(config));
  /** Entries in the inbox as of the last batch, plus those stored since. */
  let inInbox = 0;
  let ingesting: Promise<number> | null = null;
  const ingest = async (): Promise<number> => {
    await usage.flush();
    // What arrived while a pass was running waits for the next one.
    await ingesting?.catch(() => undefined);
    const onWaiting = (entries: number) => {
      inInbox = entries;
    };
    ingesting ??= ingestInbox({ sql, group, releases, now, build: runtime.build, onWaiting }).finally(() => {
      ingesting = null;
    });
    return ingesting;
  };
  let isDue = false;
  const ingestSoon = () => {
    if (isDue) return;
    isDue = true;
    const begin = () => {
      isDue = false;
      ingest().catch((error: unknown) => log.warn({ err: error }, 'client logs were not ingested'));
    };
    setTimeout(begin, INGEST_AFTER_MS).unref();
  };
  const onStored = (entries: number) => {
    inInbox += entries;
    ingestSoon();
  };
  // An external database has its disk elsewhere.
  const isDiskLow = config.databaseUrl === null ? watchDisk(config.home) : () => false;
  const tail = createTail(sql, log);
  const intake = createIntake(runtime.sql, { usage, onStored, inInbox: () => inInbox, isDiskLow });
  return {
    sql,
    intake,
    resolve,
    group,
    fleet: createFleet(sql),
    releases,
    tail,
    ingest,
    close: tail.close,
  };
}

/** Background work: leftovers in the inbox, alerts, partitions and retention. */
export function startLogWork(runtime: Runtime): { stop(): Promise<void> } {
  const service = logServiceOf(runtime);
  const own = { ...runtime, sql: service.sql };
  let running: Promise<void> = Promise.resolve();
  let houseAt = 0;
  let isStopped = false;
  const work = async () => {
    await service.ingest();
    const time = runtime.now().getTime();
    if (time - houseAt >= HOUSE_EVERY_MS) {
      houseAt = time;
      await cleanLogs(own);
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
      await running;
    },
  };
}
