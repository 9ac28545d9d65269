// @ts-check
/**
 * Reminders for everybody are queued, 100,000 browsers and as many chats; then a leader announces and decides. How long until both
 * leave: until a push service and a Bot API of this process have the first of them.
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as plainServer } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { certificate } from '../support/certificate.mjs';
import { startInstance, wait } from './instance.mjs';
import { send } from './load.mjs';
import { subscriptions } from './push-stage.mjs';

/** A place beside the large one; who leads it has a session. */
const PLACE = 'grown-6';
/** After so long what has not left counts as not leaving. */
const GIVE_UP_MS = 120_000;

/** What came first to each address, in ms. @typedef {Map<string, number>} Came */

/** @param {import('node:http').Server | import('node:https').Server} server */
async function portOf(server) {
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/** @param {string} folder */
async function services(folder) {
  /** @type {Came} */
  const came = new Map();
  const note = (/** @type {string} */ what) => came.has(what) || came.set(what, performance.now());
  const made = certificate('localhost');
  const cert = join(folder, 'cert.pem');
  writeFileSync(cert, made.cert);
  const push = createServer({ key: made.key, cert: made.cert }, (request, response) => {
    note(request.url?.split('/').at(-1) ?? '');
    request.resume().on('end', () => response.writeHead(201).end());
  });
  const bot = plainServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += String(part)));
    request.on('end', () => {
      const isMessage = request.url?.endsWith('/sendMessage');
      if (isMessage) note(`chat ${JSON.parse(body).chat_id}`);
      const result = isMessage ? { message_id: 1, date: 0, chat: { id: 1, type: 'private' } } : [];
      // Nobody writes to the bot: whoever listens waits.
      setTimeout(
        () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result })),
        request.url?.endsWith('/getUpdates') ? 10_000 : 5,
      );
    });
  });
  const ports = { push: await portOf(push), bot: await portOf(bot) };
  const stop = () => {
    for (const server of [push, bot]) {
      server.closeAllConnections();
      server.close();
    }
  };
  return { came, cert, ports, stop };
}

/** @param {{ home: string, connectTo: import('./growth-world.mjs').Connect, note: import('./growth.table.mjs').Note }} given */
export async function queued({ home, connectTo, note }) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-queue-'));
  const { came, cert, ports, stop } = await services(folder);
  Object.assign(process.env, {
    PUSH_HOSTS: `localhost:${ports.push}`,
    NODE_EXTRA_CA_CERTS: cert,
    TELEGRAM_BOT_TOKEN: '1:bench',
    TELEGRAM_API_ROOT: `http://localhost:${ports.bot}`,
  });
  const instance = await startInstance({ home });
  const external = process.env['DATABASE_URL'];
  const sql = external ? connectTo(external, { max: 2 }) : instance.database(2);
  try {
    const origin = `https://localhost:${ports.push}`;
    const { decision, announcer, chat, author } = await stage(sql, origin);
    const reminders = await remind(sql);
    const begun = performance.now();
    await until(() => [...came.keys()].some((what) => what.startsWith('all-')));
    note('reminders queued', reminders, 'people', {
      beside: `the first left after ${((performance.now() - begun) / 1_000).toFixed(1)} s`,
    });
    await wait(5_000);
    const ask = (/** @type {number} */ one, /** @type {string} */ path, /** @type {unknown} */ body) =>
      send(instance.url + path, {
        method: 'POST',
        headers: {
          cookie: `sid=${`grown-${one}-`.padEnd(43, 'x')}`,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'idempotency-key': crypto.randomUUID(),
        },
        body: JSON.stringify(body),
      });
    const told = performance.now();
    const answers = await Promise.all([
      ask(announcer, `/api/communities/${PLACE}/announcements`, { title: 'We meet', body: 'At ten, by the river.' }),
      ask(0, `/api/communities/grown-0/claims/${decision}/decision`, { decision: 'approve' }),
    ]);
    for (const { status } of answers)
      if (status >= 300) throw new Error(`announcing and deciding were answered ${status}`);
    const seconds = (/** @type {(what: string) => boolean} */ is) =>
      (Math.min(...[...came].flatMap(([what, at]) => (is(what) ? [at] : [])), Number.POSITIVE_INFINITY) - told) / 1_000;
    const all = {
      announcement: (/** @type {string} */ what) => what.startsWith('here-'),
      'decision by push': (/** @type {string} */ what) => what === `one-${author}`,
      'decision by the bot': (/** @type {string} */ what) => what === `chat ${chat}`,
    };
    const hasAll = () => Object.values(all).every((is) => [...came.keys()].some(is));
    // What has not left by then is shown as `Infinity`.
    for (const end = performance.now() + GIVE_UP_MS; !hasAll() && performance.now() < end; ) await wait(20);
    for (const [what, is] of Object.entries(all))
      note(`beside the reminders, ${what}`, seconds(is), 's', { most: what === 'announcement' ? 5 : 2 });
    note(
      'reminders that had left by then',
      [...came.keys()].filter((what) => what.startsWith('all-')).length,
      'messages',
    );
  } finally {
    await sql`delete from notifications where created_at > now() - interval '1 hour'`;
    await sql`delete from push_subscriptions where origin like 'https://localhost:%'`;
    await sql`delete from bot_messages where origin like 'bench%'`;
    await instance.stop();
    await sql.end();
    stop();
    rmSync(folder, { recursive: true });
    for (const name of ['PUSH_HOSTS', 'NODE_EXTRA_CA_CERTS', 'TELEGRAM_BOT_TOKEN', 'TELEGRAM_API_ROOT'])
      delete process.env[name];
  }
}

/** @param {() => boolean} is */
async function until(is) {
  for (const end = performance.now() + GIVE_UP_MS; !is(); await wait(20))
    if (performance.now() > end) throw new Error('it did not come in time');
}

/** Browsers at the push service, three for each session; whose claim is decided, and who announces. @param {import('postgres').Sql} sql @param {string} origin */
async function stage(sql, origin) {
  const [row] = await sql`
    select c.id, c.user_id, u.telegram_user_id::text as chat from claims c
    join communities p on p.id = c.community_id and p.slug = 'grown-0' join users u on u.id = c.user_id
    where c.state = 'submitted' and exists (select from sessions s where s.user_id = c.user_id and s.user_agent = 'grown')
      and not exists (select from community_members m join communities h on h.id = m.community_id and h.slug = ${PLACE} where m.user_id = c.user_id)
    order by c.submitted_at limit 1`;
  if (!row) throw new Error('nothing waits for a decision in this world');
  await realKey(sql);
  const keys = subscriptions();
  const hex = (/** @type {'p256dh' | 'auth'} */ part) => sql.array(keys.map((key) => key[part].toString('hex')));
  await sql`
    insert into push_subscriptions (user_id, session_id, endpoint, origin, p256dh, auth, vapid_key)
    select s.user_id, s.id, ${origin} || '/send/' || case when s.user_id = ${row['user_id']} then 'one-' when here.user_id is not null then 'here-' else 'all-' end
        || s.user_id || case when s.user_id = ${row['user_id']} then '' else '-' || n end, ${origin},
      decode((${hex('p256dh')}::text[])[n], 'hex'), decode((${hex('auth')}::text[])[n], 'hex'),
      (select public_key from vapid_keys where retired_at is null limit 1)
    from sessions s cross join generate_series(1, 3) n
    left join (select m.user_id from community_members m join communities h on h.id = m.community_id and h.slug = ${PLACE}) here on here.user_id = s.user_id
    where s.user_agent = 'grown' and (s.user_id <> ${row['user_id']} or n = 1)`;
  await sql`
    insert into notification_choices (user_id, topic, channel)
    select ${row['user_id']}, 'review', 'both' where not exists (select from notification_choices where user_id = ${row['user_id']})`;
  const [leader] = await sql`
    update community_members set role = 'leader' where (community_id, user_id) = (
      select m.community_id, m.user_id from community_members m join communities h on h.id = m.community_id and h.slug = ${PLACE}
      join sessions s on s.user_id = m.user_id join users u on u.id = m.user_id and u.is_verified order by m.user_id limit 1)
    returning (select (telegram_user_id - 10000001)::int from users where id = user_id) as one`;
  return {
    decision: String(row['id']),
    author: String(row['user_id']),
    chat: String(row['chat']),
    announcer: Number(leader?.['one']),
  };
}

/** Browsers of the world were made with a key that signs nothing. @param {import('postgres').Sql} sql */
async function realKey(sql) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const parts = [Buffer.from([4]), ...[x, y].map((part) => Buffer.from(part, 'base64url'))];
  const key = Buffer.concat(parts).toString('base64url');
  await sql`update vapid_keys set retired_at = now() where retired_at is null`;
  await sql`
    insert into vapid_keys (public_key, private_key)
    values (${key}, ${pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()})`;
  await sql`update push_subscriptions set vapid_key = ${key} where vapid_key = 'grown'`;
  await sql`delete from vapid_keys where public_key = 'grown'`;
}

/** An evening's reminders, by push to everybody but those of the place, and by the bot. @param {import('postgres').Sql} sql */
async function remind(sql) {
  const people = await sql`
    with of as (
      insert into notifications (topic, audience, path, title, body, created_at, send_at)
      values ('streak', '{"named": true}', '/', 'Your streak ends today', 'One answer keeps it.', now(), now()) returning id)
    insert into notification_people (notification_id, user_id)
    select of.id, u.id from of, users u where u.telegram_user_id > 10000000 and not exists (
      select from push_subscriptions p where p.user_id = u.id and p.endpoint !~ '/all-')`;
  await sql`
    insert into bot_messages (chat_id, origin, urgency, text, next_try_at, expires_at, created_at)
    select telegram_user_id, 'bench ' || id, 3, 'Your streak ends today', now(), now() + interval '3 hours', now() from users
    where telegram_user_id > 10000000 and not exists (
      select from push_subscriptions p where p.user_id = users.id and p.endpoint ~ '/one-')`;
  return people.count;
}
