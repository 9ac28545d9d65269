import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import type { Runtime } from '../../server/base/runtime.ts';
import type { CheckName, Checks } from '../../server/contract/overview.ts';
import type { Found } from '../../server/features/admin/check.ts';
import { checkCertificate } from '../../server/features/admin/check-machine.ts';
import { checkTelegram } from '../../server/features/admin/check-telegram.ts';
import { CHECKS } from '../../server/features/admin/checks.ts';
import { type Making, storeHealth } from '../../server/features/admin/health.ts';
import { sendAlerts } from '../../server/features/client-logs/alerts.ts';
import { checkLedger } from '../../server/features/ledger/drift.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { notify } from '../../server/features/notifications/notify.ts';
import { deliverWebhooks } from '../../server/features/webhooks/deliver.ts';
import { emit } from '../../server/features/webhooks/emit.ts';
import { certificateOf } from '../../server/integrations/certificate.ts';
import { createTelegram } from '../../server/integrations/telegram/client.ts';
import { startJobs } from '../../server/jobs.ts';
import { backUp } from '../../server/storage/backup.ts';
import { noteBackup } from '../../server/storage/backup-runs.ts';
import { certificate } from '../support/certificate.mjs';
import { folderOfFile } from '../support/of-file.ts';
import { openPushStage } from '../support/push-stage.ts';
import { smallDisk, until } from '../support/storage-processes.ts';
import { community } from '../support/world.ts';

const CHAT = '-1002';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const never = new AbortController().signal;
const folder = folderOfFile();
const { server, service, subscriber } = await openPushStage({ env: { ALERTS_TELEGRAM_CHAT: CHAT } });
const { runtime, sql } = server;

/** One check alone. */
const only = <N extends CheckName>(name: N, make: Making[N]): Partial<Making> => ({ [name]: make });

/** One run of the job, and what the bot then says. */
async function run(checks: Partial<Making>): Promise<void> {
  await storeHealth(runtime, undefined, checks);
  server.advance(4_000);
  await sendAlerts(runtime);
}
const told = async (): Promise<string[]> =>
  ((await server.control('GET', '/outbox')) as { method: string; body: { text: string; chat_id: string } }[])
    .filter(({ method, body }) => method === 'sendMessage' && body.chat_id === CHAT)
    .map(({ body }) => body.text);

type Fault<N extends CheckName> = { fail(): unknown; mend(): unknown; make?: Making[N]; says: RegExp };

/** Breaks a check for real, and mends it: one alert after its time, one that it is well, none before, between or after. */
async function playFault<N extends CheckName>(name: N, { fail, mend, make, says }: Fault<N>) {
  const checks = only(name, make ?? (CHECKS[name].make as Making[N]));
  const { badForMin, wellForMin, title } = CHECKS[name];
  const before = (await told()).length;
  const news = async () => (await told()).slice(before);
  await run(checks);
  expect(await news(), 'while it is well').toEqual([]);
  await fail();
  await run(checks);
  if (badForMin > 0) expect(await news(), 'before its time').toEqual([]);
  for (let time = 0; time < 3; time += 1) {
    server.advance(badForMin * MINUTE_MS + 1_000);
    await run(checks);
  }
  const bad = await news();
  expect(bad).toEqual([expect.stringMatching(says)]);
  expect(bad[0]).toContain(`What to do: ${CHECKS[name].wayOut}`);
  expect(bad[0]).toContain(`what-to-do-when.md#${name}`);
  expect(bad[0]).toContain(`${runtime.config.publicOrigin}/admin`);
  await mend();
  for (let time = 0; time < 3; time += 1) {
    await run(checks);
    server.advance(wellForMin * MINUTE_MS + 1_000);
  }
  expect((await news()).slice(1)).toEqual([expect.stringContaining(`${title}: well again`)]);
}

test('a disk that fills is told once, and once that it has room again', async () => {
  const disk = join(folder, 'disk');
  const mounted = smallDisk(disk, 2);
  const own = mounted ? runtime : { ...runtime, config: { ...runtime.config, home: folder } };
  const at = { ...own, config: { ...own.config, home: mounted ? disk : folder } };
  const filler = join(disk, 'filler');
  try {
    if (!mounted) return;
    await playFault('disk', {
      fail: () => writeFileSync(filler, Buffer.alloc(2 * 2 ** 20 - 16_384)),
      mend: () => rmSync(filler),
      make: () => CHECKS.disk.make(at),
      says: /Disk: The disk of MUSTER_HOME is 99 % full/,
    });
  } finally {
    mounted?.remove();
  }
});

test('a database that outgrows its room', async () => {
  const sized = (databaseLimitMb: number): Runtime => ({ ...runtime, config: { ...runtime.config, databaseLimitMb } });
  let own = sized(10_000);
  await playFault('size', {
    fail: () => {
      own = sized(2);
    },
    mend: () => {
      own = sized(10_000);
    },
    make: () => CHECKS.size.make(own),
    says: /Database size: The database takes \d+ MB of the 2 MB/,
  });
});

test('a backup into a folder that cannot be written', async () => {
  const write = async (path: string) => {
    const error = await backUp(sql, folder, path, { allowEmpty: true }).then(
      () => null,
      (failure: unknown) => failure,
    );
    await noteBackup(sql, { rows: error === null ? 1 : null, error });
    await sql`update backups set at = ${runtime.now()} where at > ${new Date(Date.now() - MINUTE_MS)}`;
  };
  writeFileSync(join(folder, 'file'), '');
  await playFault('backups', {
    fail: () => write(join(folder, 'file', 'one.mbk')),
    mend: () => write(join(folder, 'two.mbk')),
    says: /Backups: The last backup failed: .*file/,
  });
});

test('a job that throws', async () => {
  let isBroken = false;
  const work = async () => {
    if (isBroken) throw new Error('no room to tidy');
  };
  const jobs = startJobs(runtime, [{ name: 'tidy', everyMs: 5, run: work }]);
  const failing = async () => (await sql`select from job_runs where error is not null`).length === 1;
  const turn = (broken: boolean) => {
    isBroken = broken;
    return until(`the job ${broken ? 'fails' : 'runs'}`, async () => (await failing()) === broken);
  };
  const hasRun = async () =>
    (await sql`select from job_runs where ran_at > ${new Date(runtime.now().getTime() - 2 * MINUTE_MS)}`).length === 1;
  const make: Making['jobs'] = async (given) => {
    await until('the job has run since the clock was put forward', hasRun);
    return CHECKS.jobs.make(given);
  };
  await playFault('jobs', {
    fail: () => turn(true),
    mend: () => turn(false),
    make,
    says: /Jobs: .*tidy \(no room to tidy\)/,
  });
  await jobs.stop();
  await sql`delete from job_runs`;
});

test('a bot whose token was revoked, which is told by another way than that bot', async () => {
  const { telegram } = runtime.config;
  const revoked = createTelegram(
    { ...runtime.config, telegram: { ...telegram, botToken: '7000000001:AAnotTheOneThatIsKnownThere' } },
    runtime.log,
  );
  let own = runtime.telegram;
  await playFault('telegram', {
    fail: () => {
      own = revoked;
    },
    mend: () => {
      own = runtime.telegram;
    },
    make: (given) =>
      checkTelegram({
        ...given,
        telegram: own,
        config: { ...given.config, telegram: { ...telegram, requiredChannel: null } },
      }),
    says: /Telegram bot: The Telegram bot does not answer: .*401: Unauthorized/,
  });
});

test('a push service that is down', async () => {
  const { userId } = await subscriber();
  const send = async () => {
    await notify(sql, { topic: 'security', userId, path: '/', title: 'a', body: 'b', at: runtime.now() });
    await fanOut(runtime, never);
  };
  await playFault('push', {
    async fail() {
      service.answer((_, response) => {
        response.writeHead(429, { 'retry-after': '7200' }).end();
        return 'answered';
      });
      await send();
    },
    async mend() {
      service.answer(() => null);
      server.advance(2 * 60 * MINUTE_MS);
      await send();
    },
    says: /Push: Push services do not take messages now: /,
  });
});

test('log entries that nobody reads', async () => {
  await playFault('intake', {
    fail: () => sql`
      insert into client_log_inbox (id, received_at, sender, kind, data)
      select gen_random_uuid(), ${runtime.now()}::timestamptz - interval '20 minutes', '{}', 'error', '{}'`,
    mend: () => sql`delete from client_log_inbox`,
    says: /Log intake: 1 log entries wait/,
  });
});

test('a webhook whose receiver is gone', async () => {
  const { id } = await community(server, (await server.person()).userId);
  await sql`
    insert into webhooks (community_id, url, events, secret, created_by)
    select ${id}, 'https://a.example/', '{member.joined}', '\\x00', created_by from communities where id = ${id}`;
  await playFault('webhooks', {
    async fail() {
      await sql.begin((tx) =>
        emit(tx, { communityId: id, event: 'member.joined', at: runtime.now(), data: { userId: id } as never }),
      );
      for (;;) {
        const [next] = await sql<
          { at: Date }[]
        >`select next_try_at as at from webhook_deliveries where state = 'waiting'`;
        if (!next) break;
        server.advance(Math.max(0, next.at.getTime() - runtime.now().getTime()) + 1);
        await deliverWebhooks(runtime, never, async () => ({ error: 'CONNECTION' }));
      }
      await sql`update webhook_deliveries set created_at = ${runtime.now()}`;
    },
    mend: () => server.advance(DAY_MS),
    says: /Webhooks: Webhooks of communities fail: .*1 deliveries given up/,
  });
});

test('a board that is not the sum of its ledger', async () => {
  const { userId } = await server.person();
  const { id } = await community(server, userId);
  await checkLedger(runtime);
  await playFault('ledger', {
    async fail() {
      await sql`insert into point_events (community_id, user_id, kind, points) values (${id}, ${userId}, 'adjust', 7)`;
      await checkLedger(runtime);
    },
    async mend() {
      await sql`update ledger_checks set differences = 0`;
    },
    says: /Ledger: \d+ boards differ from the ledger/,
  });
});

test('a clock that is two minutes ahead', async () => {
  let aheadMs = 0;
  const make: Making['clock'] = (given) =>
    CHECKS.clock.make({
      ...given,
      now: () => new Date(Date.now() + aheadMs),
      own: () => ({ ahead: () => null }) as never,
    });
  const turn = (ms: number) => {
    aheadMs = ms;
  };
  await playFault('clock', {
    fail: () => turn(120_000),
    mend: () => turn(0),
    make,
    says: /differs by 120 s from the database/,
  });
});

test('a certificate that browsers refuse', async () => {
  const name = 'muster.example.org';
  const good = certificate(name);
  const proxy = createServer(good);
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const world = { address: '127.0.0.1', port: (proxy.address() as AddressInfo).port, ca: good.cert };
  const origin = `https://${name}`;
  const make: Making['certificate'] = (given) =>
    checkCertificate(
      // The certificate is good for two days, and a month is asked for.
      { ...given, config: { ...given.config, publicOrigin: origin }, now: () => new Date(Date.now() - 30 * DAY_MS) },
      () => certificateOf(new URL(origin), 2_000, world),
    );
  await playFault('certificate', {
    fail: () => proxy.setSecureContext(certificate('elsewhere.example.org')),
    mend: () => proxy.setSecureContext(good),
    make,
    says: /Certificate: Browsers refuse the certificate of muster\.example\.org/,
  });
  await new Promise((done) => proxy.close(done));
});

/** A check that is in whatever state a test says. */
function staged() {
  let state: Checks['disk']['state'] = 'fine';
  const facts = { holdsDatabase: true, totalBytes: 100, freeBytes: 2, fullOn: null };
  const checks = only('disk', async () => {
    if (state === 'unknown') throw new Error('no such disk');
    return { state, facts, figure: 1 } as Found<'disk'>;
  });
  /** Stays in a state for so many minutes. */
  return async (next: typeof state, minutes: number, step = 1) => {
    state = next;
    for (let minute = 0; minute <= minutes; minute += step) {
      await run(checks);
      server.advance(step * MINUTE_MS - 4_000);
    }
  };
}

test('what comes and goes is not told; what gets worse is told once more; what cannot be checked for half an hour is, too', async () => {
  const stay = staged();
  const before = (await told()).length;
  const news = async () => (await told()).slice(before).map((text) => text.split('\n', 1)[0]);
  for (let flap = 0; flap < 3; flap += 1) {
    await stay('failed', 1);
    await stay('fine', 1);
  }
  expect(await news()).toEqual([]);
  await stay('attention', 4, 2);
  await stay('failed', 4, 2);
  await stay('attention', 4, 2);
  await stay('failed', 4, 2);
  // A minute of health is not the end of it.
  await stay('fine', 1);
  await stay('failed', 4, 2);
  await stay('fine', 6, 3);
  expect(await news()).toEqual([
    expect.stringContaining('Disk: The disk of MUSTER_HOME is 98 % full'),
    expect.stringContaining('Disk is worse: '),
    expect.stringContaining('Disk: well again'),
  ]);
  await stay('unknown', 20, 10);
  expect(await news()).toHaveLength(3);
  await stay('unknown', 10, 10);
  await stay('fine', 6, 3);
  expect((await news()).slice(3)).toEqual([
    expect.stringContaining('Disk: it could not be checked (no such disk)'),
    expect.stringContaining('Disk: well again'),
  ]);
});

test('two processes tell a thing once, and operators who set alerts up later are told of what is bad by then', async () => {
  const bad = only('disk', async () => ({
    state: 'failed',
    facts: { holdsDatabase: true, totalBytes: 100, freeBytes: 2, fullOn: null },
    figure: 1,
  }));
  const both = (given: Runtime) =>
    Promise.all([storeHealth(given, undefined, bad), storeHealth(given, undefined, bad)]);
  const before = (await told()).length;
  const silent = {
    ...runtime,
    config: { ...runtime.config, alerts: { telegramChat: null, webhook: null, secret: null } },
  };
  await both(silent);
  server.advance(5 * MINUTE_MS);
  await both(silent);
  expect(await sql`select from client_log_rules where setting is not null`).toHaveLength(0);
  await both(runtime);
  await both(runtime);
  server.advance(4_000);
  await Promise.all([sendAlerts(runtime), sendAlerts(runtime)]);
  expect((await told()).slice(before)).toEqual([expect.stringContaining('98 % full')]);
  const { cookie } = await server.person({ role: 'ops' });
  const { json } = await server.request('GET', '/api/admin/overview', { cookie });
  expect(json.alerts).toEqual({
    channels: [{ kind: 'telegram', failingSince: null, error: null }],
    rules: 0,
    heartbeat: false,
  });
});
