import type { Sql } from 'postgres';
import type * as PromClient from 'prom-client';
import type { Runtime } from '../base/runtime.ts';
import type { Config } from '../config.ts';

/** What a process counts. Labels are names of the product's own: of routes, jobs and outcomes, never of a person or a place. */
export type Metrics = {
  register: PromClient.Registry;
  gauge<L extends string>(name: string, help: string, ...labelNames: L[]): PromClient.Gauge<L>;
  /** Pools of connections to the database, by name. */
  pools: Map<string, { sql: Sql; most: number }>;
  /** `seconds` null: its time says nothing, as of a stream. */
  request(route: string | null, status: number, seconds: number | null): void;
  job(name: string, seconds: number, isWell: boolean): void;
  push(results: readonly string[]): void;
};

const BUCKETS_S = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** How often the event loop's delay is sampled. */
const LOOP_SAMPLED_MS = 20;

let client: typeof PromClient | null = null;

/** Loads the library where metrics are asked for: it takes 12 MB and a tenth of a second of each process. */
export async function loadMetrics({ metrics: { token, port } }: Pick<Config, 'metrics'>): Promise<void> {
  if (token !== null || port !== null) client ??= await import('prom-client');
}

/** Null without `METRICS_TOKEN` and `METRICS_PORT`: then nothing is counted. `loadMetrics` comes first. */
export function createMetrics({
  config: { metrics, databasePool },
  sql,
}: Pick<Runtime, 'config' | 'sql'>): Metrics | null {
  if (client === null || (metrics.token === null && metrics.port === null)) return null;
  const { Counter, Gauge, Histogram, Registry } = client;
  const register = new Registry();
  client.collectDefaultMetrics({ register, eventLoopMonitoringPrecision: LOOP_SAMPLED_MS });
  const registers = [register];
  const requests = new Counter({
    name: 'muster_http_requests_total',
    help: 'Requests that are over, by route and class of status',
    labelNames: ['route', 'class'],
    registers,
  });
  const durations = new Histogram({
    name: 'muster_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer, streams apart',
    labelNames: ['route'],
    buckets: BUCKETS_S,
    registers,
  });
  const runs = new Counter({
    name: 'muster_job_runs_total',
    help: 'Runs of background jobs in this process',
    labelNames: ['job', 'result'],
    registers,
  });
  const work = new Counter({
    name: 'muster_job_seconds_total',
    help: 'Time that background jobs took in this process',
    labelNames: ['job'],
    registers,
  });
  const pushes = new Counter({
    name: 'muster_push_messages_total',
    help: 'Messages to push services, by what came of them',
    labelNames: ['result'],
    registers,
  });
  return {
    register,
    gauge: (name, help, ...labelNames) => new Gauge({ name, help, labelNames, registers }),
    pools: new Map([['requests', { sql, most: databasePool }]]),
    request(key, status, seconds) {
      const route = key ?? 'none';
      requests.inc({ route, class: `${Math.floor(status / 100)}xx` });
      if (seconds !== null) durations.observe({ route }, seconds);
    },
    job(job, seconds, isWell) {
      runs.inc({ job, result: isWell ? 'well' : 'failed' });
      work.inc({ job }, seconds);
    },
    push(results) {
      for (const result of results) pushes.inc({ result });
    },
  };
}
