import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { routes } from '../../server/contract/routes.ts';
import { storeHealth } from '../../server/features/admin/health.ts';
import { listenForMetrics, metricsAnswer } from '../../server/features/admin/metrics.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { notify } from '../../server/features/notifications/notify.ts';
import { startJobs } from '../../server/jobs.ts';
import { noteBackup } from '../../server/storage/backup-runs.ts';
import { loadOf } from '../../server/storage/deadline.ts';
import { openPushStage } from '../support/push-stage.ts';
import { testServer } from '../support/server.ts';
import { until } from '../support/storage-processes.ts';
import { community } from '../support/world.ts';

const TOKEN = 'a-token-of-the-operator';
const { server, subscriber } = await openPushStage({ env: { METRICS_TOKEN: TOKEN } });
const { runtime, sql } = server;

const asked = (headers = { authorization: `Bearer ${TOKEN}` }) => server.request('GET', '/metrics', { headers });
/** Each line of a metric, by its name and labels. */
async function series(): Promise<Map<string, number>> {
  // What the database tells is read again after ten seconds.
  server.advance(11_000);
  const { text } = await asked();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  );
}
const namesOf = (all: Map<string, number>) => new Set([...all.keys()].map((line) => line.split('{', 1)[0] ?? ''));

test('metrics are there for who knows the token, on a port of the machine for who is on it, and otherwise nowhere', async () => {
  expect((await asked()).headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect((await asked({ authorization: 'Bearer another' })).status).toBe(401);
  expect((await server.request('GET', '/metrics')).status).toBe(401);
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((done) => probe.close(done));
  const without = await testServer({ sandbox: false });
  expect((await without.request('GET', '/metrics')).status).toBe(404);
  await without.close();
  const own = await testServer({ sandbox: false, env: { METRICS_PORT: String(port) } });
  expect((await own.request('GET', '/metrics')).status).toBe(404);
  const open = await listenForMetrics(own.runtime.config, own.runtime.own(metricsAnswer));
  expect(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()).toContain('muster_build_info{build="test"');
  expect((await fetch(`http://127.0.0.1:${port}/livez`)).status).toBe(404);
  await open.close();
  await own.close();
});

test('a request counts by its route and class, whatever is asked for, and no line names a person or a place', async () => {
  const { cookie, userId } = await server.person({ name: 'Jens Osterloh' });
  const { id, slug } = await community(server, userId);
  await server.request('GET', `/api/communities/${slug}`, { cookie });
  const first = await series();
  for (let count = 0; count < 30; count += 1) {
    await server.request('GET', `/api/communities/${randomUUID()}`, { cookie });
    await server.request('GET', `/nowhere/${randomUUID()}?q=${count}`, { cookie });
    await server.request('PATCH', `/api/${randomUUID()}`, { cookie });
  }
  const after = await series();
  const count = (all: Map<string, number>, route: string, status: string) =>
    all.get(`muster_http_requests_total{route="${route}",class="${status}"}`) ?? 0;
  const route = 'GET /api/communities/:communityId';
  expect(count(after, route, '4xx') - count(first, route, '4xx')).toBe(30);
  expect(count(after, 'none', '4xx') - count(first, 'none', '4xx')).toBe(60);
  expect(after.get(`muster_http_request_duration_seconds_count{route="${route}"}`)).toBe(31);
  const labels = [...after.keys()].flatMap((line) => /route="([^"]*)"/.exec(line)?.[1] ?? []);
  expect(labels.filter((label) => label !== 'none' && !(label in routes))).toEqual([]);
  // Ninety addresses that nobody has seen before are at most one more line of each kind.
  expect(after.size - first.size).toBeLessThan(20);
  const { text } = await asked();
  for (const secret of [userId, id, slug, 'Osterloh', TOKEN]) expect(text).not.toContain(secret);
});

test('jobs, pools, queues, pushes, checks and backups are told', async () => {
  const { userId } = await subscriber();
  await notify(sql, { topic: 'security', userId, path: '/', title: 'a', body: 'b', at: runtime.now() });
  await fanOut(runtime, new AbortController().signal);
  await storeHealth(runtime);
  expect([...(await series()).keys()].filter((line) => line.includes('backup_last_success'))).toEqual([]);
  await noteBackup(sql, { rows: 1, error: null });
  let runs = 0;
  const jobs = startJobs(runtime, [
    {
      name: 'tidy',
      everyMs: 5,
      run: async () => {
        runs += 1;
      },
    },
    { name: 'broken', everyMs: 5, run: () => Promise.reject(new Error('it broke')) },
  ]);
  await until('both ran', async () => (await sql`select from job_runs`).length === 2 && runs > 1);
  const all = await series();
  await jobs.stop();
  expect(all.get('muster_job_runs_total{job="tidy",result="well"}')).toBeGreaterThan(0);
  expect(all.get('muster_job_runs_total{job="broken",result="failed"}')).toBeGreaterThan(0);
  expect(all.get('muster_job_failing{job="broken"}')).toBe(1);
  expect(all.get('muster_job_last_success_timestamp_seconds{job="tidy"}')).toBeGreaterThan(1e9);
  expect(all.get('muster_push_messages_total{result="sent"}')).toBe(1);
  expect(all.get('muster_queue_length{queue="client_log_inbox"}')).toBe(0);
  expect(all.get('muster_check_state{check="disk",state="unknown"}')).toBe(0);
  expect(all.get('muster_check_state{check="database",state="fine"}')).toBe(1);
  expect(all.get('muster_database_pool_size{pool="jobs"}')).toBe(runtime.config.databaseJobsPool);
  expect(all.get('muster_backup_last_success_timestamp_seconds')).toBeGreaterThan(1e9);
  expect(all.get('muster_database_up')).toBe(1);
});

test('what runs in a pool and what waits for it is counted, and forgotten when it is over', async () => {
  const held = sql.begin(async (tx) => {
    await tx`select 1`;
    expect(loadOf(sql).running).toBe(1);
    throw new Error('undone');
  });
  await expect(held).rejects.toThrow('undone');
  const both = [sql`select pg_sleep(0.1)`, sql`select pg_sleep(0.1)`].map((one) => one.execute());
  await until('both are on their way', async () => loadOf(sql).running + loadOf(sql).waiting === 2);
  await Promise.all(both);
  await until('nothing is left', async () => loadOf(sql).running + loadOf(sql).waiting === 0);
});

test('each metric that the dashboard and the alert rules ask for is told', async () => {
  const names = namesOf(await series());
  const folder = join(import.meta.dirname, '../../server/deploy/monitoring');
  const texts = ['grafana-dashboard.json', 'prometheus-rules.yml'].map((name) =>
    readFileSync(join(folder, name), 'utf8'),
  );
  const wanted = new Set(texts.flatMap((text) => text.match(/\b(?:muster|nodejs|process)_[a-z_]+\b/g) ?? []));
  expect(wanted.size).toBeGreaterThan(12);
  expect([...wanted].filter((name) => !names.has(name))).toEqual([]);
});
