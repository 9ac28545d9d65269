// @ts-check
/**
 * Push. CPU of one message beside raw `node:crypto` and `web-push` as shipped, interleaved on one thread; then one
 * announcement to 100,000 subscriptions through the built product and a push service of its own that fails now and then,
 * with the product killed in the middle. `BENCH_SUBSCRIPTIONS` takes another number.
 */
import { spawn } from 'node:child_process';
import { createCipheriv, createECDH, createHmac, randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
// @ts-expect-error It comes without types.
import webpush from 'web-push';
import { certificate } from '../support/certificate.mjs';
import { cpuMsOf, median, people, root, startInstance, wait } from './instance.mjs';

const SUBSCRIPTIONS = Number(process.env['BENCH_SUBSCRIPTIONS'] ?? '100000');
const MEMBERS = Math.ceil(SUBSCRIPTIONS / 5);
const ROUNDS = 9;
const MESSAGES = 400;
const TEXT = JSON.stringify({ web_push: 8030, notification: { title: 'Muster', body: 'x'.repeat(300) } });

export async function measure() {
  return [...(await cpu()), ...(await fanOut())];
}

function subscriptions() {
  return Array.from({ length: 50 }, () => {
    const ecdh = createECDH('prime256v1');
    return { p256dh: ecdh.generateKeys(), auth: randomBytes(16) };
  });
}

/** What nobody can do without: a key, a secret, four derivations, a cipher. @param {{ p256dh: Buffer, auth: Buffer }} keys @param {Buffer} record */
function raw({ p256dh, auth }, record) {
  const ecdh = createECDH('prime256v1');
  const own = ecdh.generateKeys();
  const shared = ecdh.computeSecret(p256dh);
  const salt = randomBytes(16);
  /** @param {Buffer} key @param {Buffer} data */
  const hmac = (key, data) => createHmac('sha256', key).update(data).digest();
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, own, Buffer.of(1)]);
  const secret = hmac(salt, hmac(hmac(auth, shared), info));
  const key = hmac(secret, Buffer.from('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16);
  const nonce = hmac(secret, Buffer.from('Content-Encoding: nonce\0\x01')).subarray(0, 12);
  const cipher = createCipheriv('aes-128-gcm', key, nonce);
  const head = Buffer.alloc(86);
  return Buffer.concat([head, cipher.update(record), cipher.final(), cipher.getAuthTag()]);
}

async function cpu() {
  const built = mkdtempSync(join(root, 'node_modules/.tmp-push-'));
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'error',
      build: {
        ssr: true,
        outDir: built,
        rolldownOptions: {
          input: {
            message: join(root, 'server/integrations/push/message.ts'),
            encrypt: join(root, 'server/integrations/push/encrypt.ts'),
            vapid: join(root, 'server/integrations/push/vapid.ts'),
          },
        },
      },
    });
    const { messageFor } = await import(`${built}/message.js`);
    const { padded } = await import(`${built}/encrypt.js`);
    const { makeVapidKey, readVapidKey, vapidHeaders } = await import(`${built}/vapid.js`);
    const { publicKey, pem } = makeVapidKey();
    const key = readVapidKey(publicKey, pem);
    const header = vapidHeaders('mailto:bench@muster.example');
    const peer = webpush.generateVAPIDKeys();
    const browsers = subscriptions();
    const record = padded(Buffer.from(TEXT));
    const origin = 'https://fcm.googleapis.com';
    /** @type {Record<string, (browser: { p256dh: Buffer, auth: Buffer }) => unknown>} */
    const ways = {
      raw: (browser) => raw(browser, record),
      ours: (browser) =>
        messageFor(
          browser,
          { record, ttl: 60, urgency: 'high', topic: 'announcement:1' },
          header(key, origin, Date.now()),
        ),
      webPush: ({ p256dh, auth }) =>
        webpush.generateRequestDetails(
          { endpoint: `${origin}/x`, keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') } },
          TEXT,
          { vapidDetails: { subject: 'mailto:bench@muster.example', ...peer }, TTL: 60 },
        ),
    };
    /** @type {Record<string, number[]>} */
    const spent = { raw: [], ours: [], webPush: [] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [name, way] of Object.entries(ways)) {
        const before = process.cpuUsage();
        for (let count = 0; count < MESSAGES; count += browsers.length) for (const browser of browsers) way(browser);
        const { user, system } = process.cpuUsage(before);
        // The first round warms up.
        if (round > 0) spent[name]?.push((user + system) / MESSAGES);
      }
    }
    const [bare, ours, shipped] = ['raw', 'ours', 'webPush'].map((name) => median(spent[name] ?? []));
    const perSecond = (/** @type {number | undefined} */ micros) => 1_000_000 / (micros ?? Number.NaN);
    return [
      { metric: 'one message, CPU', ours: ours ?? null, unit: 'µs', peer: bare },
      {
        metric: 'messages a CPU second, beside raw node:crypto',
        ours: perSecond(ours),
        unit: '/s',
        peer: perSecond(bare),
        share: 0.85,
      },
      {
        metric: 'messages a CPU second, beside web-push',
        ours: perSecond(ours),
        unit: '/s',
        peer: perSecond(shipped),
        share: 3.5,
      },
    ];
  } finally {
    rmSync(built, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function startService(folder) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const made = certificate('localhost');
  writeFileSync(key, made.key);
  writeFileSync(cert, made.cert);
  const child = spawn(process.execPath, [join(import.meta.dirname, 'push-service.mjs'), key, cert], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  const { port } = await next();
  return {
    port,
    cert,
    pid: child.pid,
    counts: () => {
      child.stdin.write('\n');
      return next();
    },
    stop: () => child.kill(),
  };
}

/** Threads of the product's app, and their memory. */
function appProcess() {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const { ppid } = { ppid: readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1] };
      const parent = readFileSync(`/proc/${ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1];
      if (words.includes(join(root, 'dist/server/main.js')) && parent === String(process.pid)) return Number(pid);
    } catch {
      // It ended while it was looked at.
    }
  }
  throw new Error('the app does not run');
}
/** @param {number} pid */
const residentOf = (pid) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

async function fanOut() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-push-'));
  const service = await startService(folder);
  Object.assign(process.env, { PUSH_HOSTS: `localhost:${service.port}`, NODE_EXTRA_CA_CERTS: service.cert });
  let instance = await startInstance();
  const sql = instance.database();
  try {
    await fetch(`${instance.url}/api/vapid-public-key`);
    const [{ key }] = /** @type {any} */ (await sql`select public_key as key from vapid_keys`);
    await people(sql, 1);
    const [{ id: leader }] = /** @type {any} */ (await sql`select id from users where telegram_username = 'bench_1'`);
    await sql`
      insert into users (telegram_user_id, display_name, membership)
      select 8000000 + n, 'Member ' || n, 'member' from generate_series(1, ${MEMBERS}) n`;
    await sql`
      insert into sessions (token_hash, user_id, kind, expires_at)
      select decode(md5(id::text), 'hex'), id, 'web', now() + interval '1 day' from users where telegram_user_id > 8000000
        and telegram_user_id <= 8000000 + ${MEMBERS}`;
    const [{ place }] = /** @type {any} */ (
      await sql`
      insert into communities (slug, name, created_by) values ('bench-push', 'Bench', ${leader}) returning id as place`
    );
    await sql`
      insert into community_members (community_id, user_id) select ${place}, user_id from sessions
      where token_hash = decode(md5(user_id::text), 'hex')`;
    const keys = subscriptions();
    const origin = `https://localhost:${service.port}`;
    await sql`
      insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key)
      select user_id, id, ${origin} || '/send/' || lpad(number::text, 9, '0'), ${origin},
        decode((${sql.array(keys.map(({ p256dh }) => p256dh.toString('hex')))}::text[])[1 + number % 50], 'hex'),
        decode((${sql.array(keys.map(({ auth }) => auth.toString('hex')))}::text[])[1 + number % 50], 'hex'), ${key}
      from (select s.user_id, s.id, row_number() over () as number from sessions s cross join generate_series(1, 5)
        where token_hash = decode(md5(user_id::text), 'hex')) as rows
      where number <= ${SUBSCRIPTIONS}`;
    const [{ gone, live }] = /** @type {any} */ (
      await sql`
      select count(*) filter (where right(endpoint, 4)::int % 200 < 4)::int as gone,
        count(*) filter (where right(endpoint, 4)::int % 200 >= 4)::int as live
      from push_subscriptions where origin = ${origin}`
    );
    const [{ id }] = /** @type {any} */ (
      await sql`
      insert into notifications (topic, community_id, path, title, body, campaign, created_at, send_at)
      values ('announcement', ${place}, '/x', 't', 'b', true, now(), now()) returning id`
    );

    const begun = performance.now();
    let pid = appProcess();
    let peak = 0;
    let busy = 0;
    let killedAt = 0;
    const idle = residentOf(pid);
    let cpuBefore = cpuMsOf(pid) + cpuMsOf(service.pid);
    let windowBegan = begun;
    for (;;) {
      await wait(500);
      const [row] = await sql`select state, sent, gone, failed from notifications where id = ${id}`;
      peak = Math.max(peak, residentOf(pid));
      const now = performance.now();
      const cpu = cpuMsOf(pid) + cpuMsOf(service.pid);
      if (now - windowBegan > 4_000) {
        busy = Math.max(busy, (cpu - cpuBefore) / (now - windowBegan));
        [cpuBefore, windowBegan] = [cpu, now];
      }
      if (killedAt === 0 && row && row['sent'] > SUBSCRIPTIONS / 2) {
        killedAt = (await service.counts()).requests;
        process.kill(pid, 'SIGKILL');
        await instance.stop();
        const { home } = instance;
        instance = await startInstance({ home });
        pid = appProcess();
        [cpuBefore, windowBegan] = [cpuMsOf(pid) + cpuMsOf(service.pid), performance.now()];
      }
      if (row?.['state'] === 'done') break;
      if (now - begun > 1_200_000) throw new Error(`not done after twenty minutes: ${JSON.stringify(row)}`);
    }
    const seconds = (performance.now() - begun) / 1_000;
    const { tokens, twice, most, answers } = await service.counts();
    const [{ kept }] = /** @type {any} */ (
      await sql`
      select count(*)::int as kept from push_subscriptions where origin = ${origin} and right(endpoint, 4)::int % 200 < 4`
    );
    const [{ lost }] = /** @type {any} */ (
      await sql`
      select ${live} - count(*)::int as lost from push_subscriptions
      where origin = ${origin} and right(endpoint, 4)::int % 200 >= 4`
    );
    console.log(`answers ${JSON.stringify(answers)}, killed after ${killedAt} requests, idle ${Math.round(idle)} MB`);
    return [
      { metric: `${SUBSCRIPTIONS} subscriptions, killed half-way`, ours: seconds, unit: 's' },
      { metric: 'live browsers that got it', ours: tokens, unit: '', least: live },
      { metric: 'subscriptions that are gone and kept', ours: kept, unit: '', most: 0 },
      { metric: `live subscriptions lost (of ${live}, ${gone} gone)`, ours: lost, unit: '', most: 0 },
      // Six chunks of two hundred are on their way at once.
      { metric: 'got it twice: what was on its way when it was killed', ours: twice, unit: '', most: 1_200 },
      { metric: 'got it most often', ours: most, unit: '×', most: 2 },
      { metric: 'memory of the app at most', ours: peak, unit: 'MB', most: 250 },
      { metric: 'cores busy at most, with the push service', ours: busy, unit: '' },
    ];
  } finally {
    await sql.end({ timeout: 1 });
    await instance.remove();
    service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
