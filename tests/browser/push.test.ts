import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFailed, test } from 'vitest';
import { sendBotMessages } from '../../server/features/bot/send.ts';
import { fanOut } from '../../server/features/notifications/fan-out.ts';
import { rotateKey } from '../../server/features/notifications/keys.ts';
import { startJobs } from '../../server/jobs.ts';
import { ENGINE } from '../support/browser.ts';
import { type PushBrowser, startPushBrowser } from '../support/push-browser.ts';
import { type TestServer, testServer } from '../support/server.ts';
import { community, join } from '../support/world.ts';

let browser: PushBrowser;
let server: TestServer;
let working: { stop(): Promise<void> };
let leader: { userId: string; cookie: string };
let place: { id: string };

beforeAll(async () => {
  browser = await startPushBrowser();
  const dir = resolve(import.meta.dirname, '../../dist/client');
  server = await testServer({
    client: { dir },
    build: /\b[0-9a-f]{12}\b/.exec(readFileSync(resolve(dir, 'sw.js'), 'utf8'))?.[0] ?? 'none',
    pushWorld: browser.service.world,
  });
  // A notification is done when the bot's messages of it have gone out too.
  working = startJobs(server.runtime, [
    { name: 'notifications', everyMs: 100, run: fanOut },
    { name: 'bot-messages', everyMs: 100, run: sendBotMessages },
  ]);
  leader = await server.person();
  place = await community(server, leader.userId);
  await join(server.sql, place.id, leader.userId, 'leader');
});
beforeEach(() => {
  onTestFailed(async () => {
    console.log(await browser.tabs().catch(String), await browser.desk().catch(String));
    console.log((await text().catch(String)).slice(0, 3_000));
  });
});
afterAll(async () => {
  await working?.stop();
  await browser?.close();
  await server?.close();
});

const until = (what: () => unknown, wanted: unknown = true) =>
  expect.poll(what, { timeout: 20_000, interval: 250 }).toEqual(wanted);
const text = () => browser.inPage(() => document.body.innerText);
const says = (words: string) => until(async () => (await text()).includes(words));

/** Whether the button or link of this name is there and held up by nothing; it is pressed then, if wanted. */
const ready = (name: string, { andPress = false } = {}) =>
  browser.inPage(
    (wanted: string, press: boolean) => {
      const found = [...document.querySelectorAll<HTMLElement>('button, a')].find(
        (one) => one.textContent?.trim() === wanted && one.ariaDisabled !== 'true',
      );
      if (press) found?.click();
      return found !== undefined;
    },
    name,
    andPress,
  );
const press = (name: string) => until(() => ready(name, { andPress: true }));

/** Signs in by what a person presses; the account is complete and a member of the community. */
async function signIn(person: number): Promise<void> {
  await browser.go(`${server.url}/api/auth/telegram/start?next=/settings/notifications`);
  await browser.inPage((wanted: number) => {
    document.querySelector<HTMLElement>(`[data-person="${wanted}"]`)?.click();
  }, person);
  await until(async () => new URL((await browser.tabs())[0] ?? '').origin === server.url);
  await server.sql`
    update users set is_verified = true, twitter_username = coalesce(twitter_username, ${`x${person}`}),
      x_user_id = coalesce(x_user_id, ${String(person)}) where telegram_user_id = ${person}`;
  await server.sql`
    insert into community_members (community_id, user_id, role)
    select ${place.id}, id, 'member' from users where telegram_user_id = ${person} on conflict do nothing`;
  // No test is about the cap here.
  await server.sql`
    insert into notification_settings (user_id, daily_cap, collapse)
    select id, 50, true from users where telegram_user_id = ${person} on conflict do nothing`;
  await browser.go(`${server.url}/settings/notifications`);
  await says('Notifications');
  await until(() => browser.inPage(() => navigator.serviceWorker.ready.then(() => true)));
}
/** What this device has not sent yet. */
const kept = () =>
  browser.inPage(
    () =>
      new Promise<{ subject: string; error: { status: number } | null }[]>((done) => {
        const opening = indexedDB.open('muster');
        opening.onsuccess = () => {
          const all = opening.result.transaction('outbox').objectStore('outbox').getAll();
          all.onsuccess = () => {
            opening.result.close();
            done(all.result);
          };
        };
      }),
  );
async function signOut(): Promise<void> {
  // Something that is not sent yet is asked about first.
  await until(async () => (await kept()).length, 0);
  await browser.go(`${server.url}/logout`);
  await until(() => browser.inPage(() => fetch('/api/auth/user').then(({ status }) => status)), 401);
  await until(
    () =>
      browser.inPage(async () => {
        const registration = await navigator.serviceWorker.getRegistration('/');
        return (await registration?.pushManager.getSubscription()) ?? null;
      }),
    null,
  );
}
async function turnOn(): Promise<void> {
  await press('Turn on notifications');
  await says('Send me a test');
}
async function announce(title: string): Promise<string> {
  const reply = await server.request('POST', `/api/communities/${place.id}/announcements`, {
    cookie: leader.cookie,
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { title, body: 'We meet at ten.' },
  });
  expect(reply.status, reply.text).toBe(201);
  const [row] = await server.sql<[{ id: string }]>`select id from notifications where subject_id = ${reply.json.id}`;
  return row.id;
}
const isOnDesk = (title: string) => until(async () => (await browser.desk()).some((one) => one.includes(title)));
/** All of it was sent to whom it concerns. */
const isSent = (id: string) =>
  until(async () => (await server.sql`select state from notifications where id = ${id}`)[0], { state: 'done' });
const eventsOf = (id: string, person: number) => async () =>
  (
    await server.sql<{ event: string }[]>`
      select event from notification_events e join users u on u.id = e.user_id
      where notification_id = ${id} and telegram_user_id = ${person} order by event`
  ).map(({ event }) => event);
const saved = (person: number) => server.sql<{ endpoint: string; key: string }[]>`
  select endpoint, vapid_key as key from push_subscriptions p join users u on u.id = p.user_id
  where telegram_user_id = ${person}`;

test(`${ENGINE}: a leader announces, the browser shows it, a press opens its screen and is counted`, async () => {
  await signIn(1001);
  await says('Choose what, where and when below');
  await turnOn();
  expect(await saved(1001)).toHaveLength(1);
  const id = await announce('Saturday walk');
  await isOnDesk('Saturday walk');
  await until(eventsOf(id, 1001), ['shown']);
  await browser.pressLatest();
  await until(async () => (await browser.tabs()).some((url) => url.endsWith(`/community/${place.id}/dashboard`)));
  await until(eventsOf(id, 1001), ['clicked', 'shown']);
  const [figures] = await server.sql`select state, sent, failed from notifications where id = ${id}`;
  expect(figures).toEqual({ state: 'done', sent: 1, failed: 0 });
});

test(`${ENGINE}: with another key of the server's the browser subscribes anew by itself`, async () => {
  const [before] = await saved(1001);
  const key = await server.sql.begin((tx) => rotateKey(tx, server.runtime.now()));
  // Until it comes back, it is served with the key it knows.
  await announce('Before the new key');
  await isOnDesk('Before the new key');
  await browser.go(`${server.url}/settings/notifications`);
  await until(async () => (await saved(1001)).some((one) => one.key === key));
  expect((await saved(1001)).map(({ endpoint }) => endpoint)).not.toContain(before?.endpoint);
  await announce('With the new key');
  await isOnDesk('With the new key');
});

test(`${ENGINE}: a push service that forgot the subscription: it is made anew`, async () => {
  const [before] = await saved(1001);
  browser.service.forget();
  if (ENGINE === 'firefox') {
    // The browser is told when it is back, and the service worker mends it without a page.
    await until(async () => {
      const now = await saved(1001);
      return now.length === 1 && now[0]?.endpoint !== before?.endpoint;
    });
  } else {
    // Chromium is told nothing: the next message finds out, and the member's screen says so and offers it again.
    const id = await announce('To nobody');
    await until(async () => (await server.sql`select gone from notifications where id = ${id}`)[0], { gone: 1 });
    expect(await saved(1001)).toEqual([]);
    await browser.go(`${server.url}/settings/notifications`);
    await turnOn();
  }
  await announce('After it forgot');
  await isOnDesk('After it forgot');
});

test(`${ENGINE}: closed while it is sent, the browser gets it when it is opened`, async () => {
  await browser.leave();
  await isSent(await announce('While it was closed'));
  await browser.comeBack();
  await browser.go(`${server.url}/settings/notifications`);
  await isOnDesk('While it was closed');
});

test(`${ENGINE}: signed out, nothing arrives; two members on one device each get only their own`, async () => {
  await signOut();
  expect(await saved(1001)).toEqual([]);
  const taken = browser.service.taken();
  await isSent(await announce('To nobody here'));
  expect(browser.service.taken()).toBe(taken);

  await signIn(1003);
  await turnOn();
  expect([(await saved(1001)).length, (await saved(1003)).length]).toEqual([0, 1]);
  const tell = async (person: number, title: string) => {
    const [row] = await server.sql<[{ id: string }]>`
      insert into notifications (topic, user_id, path, title, body, created_at, send_at)
      select 'review', id, '/profile', ${title}, 'b', now(), now() from users where telegram_user_id = ${person}
      returning id`;
    return row.id;
  };
  await isSent(await tell(1001, 'For the first'));
  const second = await tell(1003, 'For the second');
  await isOnDesk('For the second');
  await until(eventsOf(second, 1003), ['shown']);
  expect((await browser.desk()).join()).not.toContain('For the first');

  // The first comes back: they wanted notifications here, and need not say so again.
  await signOut();
  await signIn(1001);
  await until(async () => (await saved(1001)).length, 1);
  expect(await saved(1003)).toEqual([]);
  await isSent(await tell(1003, 'Again the second'));
  await tell(1001, 'Again the first');
  await isOnDesk('Again the first');
  expect((await browser.desk()).join()).not.toContain('Again the second');
});
