import { expect, test } from 'vitest';
import { JobRun } from '../../server/contract/overview.ts';
import { type Job, startJobs } from '../../server/jobs.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';
import { signal } from '../support/signal.ts';

const server = await ofFile(testServer({ sandbox: false }));

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

test('of two processes one does a job at a time, and each job has a turn of its own', async () => {
  let [now, most, runs, others] = [0, 0, 0, 0];
  const enough = signal();
  const jobs: Job[] = [
    {
      name: 'alone',
      everyMs: 1,
      async run() {
        now += 1;
        most = Math.max(most, now);
        await pause(5);
        now -= 1;
        runs += 1;
        if (runs >= 20 && others > 0) enough.resolve();
      },
    },
    {
      name: 'other',
      everyMs: 1,
      async run() {
        others += 1;
      },
    },
  ];
  const processes = [startJobs(server.runtime, jobs), startJobs(server.runtime, jobs)];
  await enough.promise;
  await Promise.all(processes.map((started) => started.stop()));
  expect(most).toBe(1);
  const after = runs;
  await pause(30);
  expect(runs).toBe(after);
});

test('a job that fails is tried again, and does not stop its neighbours', async () => {
  const seen = { failing: 0, well: 0 };
  const enough = signal();
  const count = (name: keyof typeof seen) => {
    seen[name] += 1;
    if (seen.failing >= 3 && seen.well >= 3) enough.resolve();
  };
  const jobs: Job[] = [
    {
      name: 'failing',
      everyMs: 1,
      async run() {
        count('failing');
        throw new Error('not today');
      },
    },
    { name: 'well', everyMs: 1, run: async () => count('well') },
  ];
  const started = startJobs(server.runtime, jobs);
  await enough.promise;
  await started.stop();
});

test('stopping waits for what is under way, tells it, and does not wait for the rest between runs', async () => {
  const begun = signal();
  let finished = false;
  const job: Job = {
    name: 'long',
    everyMs: 3_600_000,
    async run(_, stopping) {
      begun.resolve();
      await new Promise((told) => stopping.addEventListener('abort', told));
      await pause(20);
      finished = true;
    },
  };
  const started = startJobs(server.runtime, [job, { name: 'resting', everyMs: 3_600_000, run: async () => {} }]);
  await begun.promise;
  await started.stop();
  expect(finished).toBe(true);
});

test('of the heavy jobs of two processes one runs at a time, and each of them comes to its turn', async () => {
  let [now, most] = [0, 0];
  const runs = new Map<string, number>();
  const enough = signal();
  const heavy = (name: string): Job => ({
    name,
    everyMs: 1,
    heavy: true,
    async run() {
      now += 1;
      most = Math.max(most, now);
      await pause(3);
      now -= 1;
      runs.set(name, (runs.get(name) ?? 0) + 1);
      if (runs.size === 3 && [...runs.values()].every((count) => count >= 3)) enough.resolve();
    },
  });
  const jobs = ['one', 'two', 'three'].map(heavy);
  const processes = [startJobs(server.runtime, jobs), startJobs(server.runtime, jobs)];
  await enough.promise;
  await Promise.all(processes.map((started) => started.stop()));
  expect(most).toBe(1);
});

test('after a start a heavy job waits until it is due again, one that never ran does not', async () => {
  const { sql, now } = server.runtime;
  await sql`insert into job_runs (name, every_ms, ran_at, ok_at) values ('done', 3600000, ${now()}, ${now()})`;
  const ran: string[] = [];
  const done = signal();
  const job = (name: string, heavy?: true): Job => ({
    name,
    everyMs: 3_600_000,
    ...(heavy && { heavy }),
    async run() {
      ran.push(name);
      if (ran.length === 2) done.resolve();
    },
  });
  const started = startJobs(server.runtime, [job('done', true), job('new', true), job('light')]);
  await done.promise;
  await started.stop();
  expect(ran.sort()).toEqual(['light', 'new']);
});

test('operators see of each job what its runs read and how long they took, and which of them takes too much', async () => {
  const { sql } = server.runtime;
  await sql`delete from job_runs`;
  const done = signal();
  let ran = 0;
  const job = (name: string, everyMs: number, run: Job['run']): Job => ({
    name,
    everyMs,
    async run(...given) {
      await run(...given);
      ran += 1;
      if (ran === 2) done.resolve();
    },
  });
  const started = startJobs(server.runtime, [
    job('modest', 3_600_000, async ({ sql }) => {
      await sql`select from generate_series(1, 20)`;
      await sql.begin((tx) => tx`select from generate_series(1, 3)`);
    }),
    job('greedy', 50, async ({ sql }) => void (await sql`select pg_sleep(0.2)`)),
  ]);
  await done.promise;
  await started.stop();
  const { cookie } = await server.person({ role: 'admin' });
  const read = async () =>
    ((await server.request('GET', '/api/admin/jobs', { cookie })).json as unknown[]).map((one) => JobRun.parse(one));
  const [greedy, modest] = await read();
  // The first run after a start says little.
  expect(greedy).toMatchObject({ name: 'greedy', runs: 1, isOver: false });
  await sql`update job_runs set runs = 2 where name = 'greedy'`;
  expect((await read())[0]).toMatchObject({ name: 'greedy', isOver: true });
  expect(greedy?.longestMs).toBeGreaterThanOrEqual(200);
  // A transaction begins and ends by a statement of its own, which the driver sends.
  expect(modest).toMatchObject({ name: 'modest', runs: 1, statements: 2, rows: 23, isOver: false });
});

test('jobs that hold all of their connections keep none from people', async () => {
  const { config, sql } = server.runtime;
  const { databaseJobsPool } = config;
  const databasePool = sql.options.max;
  const [held, goOn] = [signal(), signal()];
  let holding = 0;
  const jobs = Array.from(
    { length: databaseJobsPool },
    (_, n): Job => ({
      name: `holder ${n}`,
      everyMs: 3_600_000,
      run: ({ sql }) =>
        sql.begin(async (tx) => {
          await tx`select 1`;
          holding += 1;
          if (holding === databaseJobsPool) held.resolve();
          await goOn.promise;
        }),
    }),
  );
  const started = startJobs(server.runtime, jobs);
  await held.promise;
  const all = signal();
  let served = 0;
  // Each goes on when all have a connection.
  const people = Array.from({ length: databasePool }, () =>
    sql.begin(async (tx) => {
      served += 1;
      if (served === databasePool) all.resolve();
      await all.promise;
      return tx`select 1 as one`;
    }),
  );
  expect(await Promise.all(people)).toEqual(Array(databasePool).fill([{ one: 1 }]));
  goOn.resolve();
  await started.stop();
});
