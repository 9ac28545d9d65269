import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Job, startJobs } from '../../server/jobs.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { signal } from '../support/signal.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({ sandbox: false });
});
afterAll(() => server?.close());

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
