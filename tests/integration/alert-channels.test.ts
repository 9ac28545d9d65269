import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { AlertRule } from '../../server/contract/ops-logs.ts';
import { sendAlerts } from '../../server/features/client-logs/alerts.ts';
import { createTelegram } from '../../server/integrations/telegram/client.ts';
import { ingested, LOGS, send } from '../support/client-logs.ts';
import { ofFile } from '../support/of-file.ts';
import { testServer } from '../support/server.ts';

/** A Bot API in which one group has become a supergroup, and another is gone. */
const [GROUP, SUPERGROUP, GONE] = ['-55', '-100777', '-66'];
const told: { chat: string; text: string }[] = [];

const api = createServer(async (req, res) => {
  let body = '';
  for await (const chunk of req) body += chunk;
  const { chat_id: chat, text } = JSON.parse(body) as { chat_id: string; text: string };
  const refuse = (description: string, parameters?: object) =>
    res
      .writeHead(400, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ok: false, error_code: 400, description: `Bad Request: ${description}`, parameters }));
  if (chat === GONE) return refuse('chat not found');
  if (chat === GROUP)
    return refuse('group chat was upgraded to a supergroup chat', { migrate_to_chat_id: Number(SUPERGROUP) });
  told.push({ chat, text });
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ok: true, result: {} }));
}).listen(0, '127.0.0.1');
await once(api, 'listening');
const server = await ofFile(testServer());
const { config, log } = server.runtime;
const apiRoot = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
server.runtime.telegram = createTelegram({ ...config, telegram: { ...config.telegram, apiRoot } }, log);
const ops = await server.person({ role: 'ops' });
afterAll(() => {
  api?.close();
});
beforeEach(async () => {
  told.length = 0;
  await server.sql`delete from client_log_rules`;
  server.advance(60_000);
});

const add = async (name: string, chatId: string, enabled = true): Promise<string> =>
  (
    await server.request('POST', `${LOGS}/rules`, {
      cookie: ops.cookie,
      body: {
        ...{ name, enabled, when: { kind: 'new_issue' }, to: { kind: 'telegram', chatId } },
        ...{ quiet: null, cooldownMinutes: 1 },
      },
    })
  ).json.id;
const rules = async (): Promise<AlertRule[]> =>
  (await server.request('GET', `${LOGS}/rules`, { cookie: ops.cookie })).json;
let issues = 0;
async function happen(): Promise<void> {
  issues += 1;
  await send(server, { data: { message: `Error: ${['alpha', 'beta', 'gamma', 'delta', 'epsilon'][issues]} broke` } });
  await ingested(server);
}

test('a group that has become a supergroup is followed, and every rule learns its new id', async () => {
  await add('one', GROUP);
  await add('two', GROUP, false);
  await happen();
  await sendAlerts(server.runtime);
  expect(told).toEqual([{ chat: SUPERGROUP, text: expect.stringContaining('New issue') }]);
  expect((await rules()).map(({ to }) => to)).toEqual(Array(2).fill({ kind: 'telegram', chatId: SUPERGROUP }));
  await happen();
  server.advance(120_000);
  await sendAlerts(server.runtime);
  expect(told).toHaveLength(2);
});

test('rules that share a chat tell it one after another, as slowly as Telegram takes it', async () => {
  for (const name of ['one', 'two', 'three']) await add(name, '-100555');
  await add('beside', '-100556');
  await happen();
  const chats = async () => {
    told.length = 0;
    await sendAlerts(server.runtime);
    return told.map(({ chat }) => chat).sort();
  };
  expect(await chats()).toEqual(['-100555', '-100556']);
  for (const count of [1, 1, 0]) {
    expect(await chats()).toEqual([]);
    server.advance(3_100);
    expect(await chats()).toEqual(Array(count).fill('-100555'));
  }
});

test('a channel that takes nothing is told of elsewhere, once, and in the operators’ room until it takes something', async () => {
  const id = await add('dead', GONE);
  await add('alive', '-100888');
  const member = await server.person();
  await happen();
  for (let tries = 0; tries < 6; tries += 1) {
    await sendAlerts(server.runtime);
    server.advance(3 * 3_600_000);
  }
  const elsewhere = told.filter(({ text }) => text.includes('“dead” takes nothing'));
  expect(elsewhere).toEqual([{ chat: '-100888', text: expect.stringContaining('chat not found') }]);
  const notified = await server.sql`select user_id, path from notifications where title = 'Alerts aren’t delivered'`;
  expect(notified).toEqual([{ user_id: ops.userId, path: '/admin/client-logs' }]);
  expect(notified.map(({ user_id }) => user_id)).not.toContain(member.userId);
  const failing = async () => (await rules()).find((rule) => rule.id === id)?.failing;
  expect(await failing()).toMatchObject({ error: expect.stringContaining('chat not found') });

  await server.sql`update client_log_rules set channel = jsonb_set(channel, '{chatId}', '"-100999"') where id = ${id}`;
  const tested = await server.request('POST', `${LOGS}/rules/${id}/test`, { cookie: ops.cookie });
  expect(tested.json).toEqual({ sent: true, error: null });
  expect(await failing()).toBe(null);
});
