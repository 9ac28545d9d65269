import { expect } from 'vitest';
import type { TaskSetup } from '../../server/contract/tasks.ts';
import { runXChecks } from '../../server/features/claims/x-checks.ts';
import { stage } from './engagement.ts';
import { ofFile } from './of-file.ts';
import { type Reply, type TestServer, type TestServerOptions, testServer } from './server.ts';

/** What the browser's session is in an answer that rotates it. */
export const sessionIn = (reply: Reply): string =>
  reply.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .find((pair) => pair.startsWith('sid=')) ?? '';

/** A server with the sandbox's X: people who link accounts there, post and like, and a community that asks for it. */
export async function xStage(options: TestServerOptions = {}) {
  const server: TestServer = await ofFile(testServer(options));
  const on = stage(server.sql);
  const { control } = server;
  /** A member of `communityId` who links the account of that number with X's sign-in; `checks`: and lets X be asked. */
  const linked = async (telegramUserId: number, xId: string, { checks = true } = {}) => {
    const handle = `walker_${telegramUserId}`;
    await control('PUT', '/people', {
      telegramUserId: String(telegramUserId),
      firstName: 'Walker',
      username: `tg_${telegramUserId}`,
      xId,
      xUsername: handle,
    });
    const cookie = await server.signIn(telegramUserId);
    const reply = await link(cookie, String(telegramUserId), checks);
    expect(reply.status, reply.text).toBe(200);
    const [user] = await server.sql<[{ id: string }]>`select id from users where telegram_user_id = ${telegramUserId}`;
    return { userId: user.id, cookie: sessionIn(reply), handle, xId };
  };
  const link = async (cookie: string, person: string, checks = false): Promise<Reply> => {
    const start = await server.request('GET', `/api/auth/x/start?next=/${checks ? '&again=checks' : ''}`, { cookie });
    expect(start.status, start.text).toBe(302);
    const authorize = new URL(start.headers.get('location') ?? '');
    authorize.searchParams.set('person', person);
    const back = new URL((await fetch(authorize, { redirect: 'manual' })).headers.get('location') ?? '');
    const body = { code: back.searchParams.get('code'), state: back.searchParams.get('state') };
    return server.request('POST', '/api/auth/x/complete', { cookie, body });
  };
  /** Posts as an account, as X's own page does; the post's address. `more`: `in_reply_to`, or the `url` that is quoted. */
  const post = async (xId: string, text: string, more: Record<string, string> = {}): Promise<string> => {
    const intent = server.runtime.x.intents.post;
    const page = await fetch(intent, { method: 'POST', body: new URLSearchParams({ text, person: xId, ...more }) });
    return /https:\/\/x\.com\/\w+\/status\/\d+/.exec(await page.text())?.[0] ?? '';
  };
  const act = (name: 'follow' | 'like' | 'repost', xId: string, about: Record<string, string>) =>
    fetch(server.runtime.x.intents[name], { method: 'POST', body: new URLSearchParams({ person: xId, ...about }) });
  const fault = (match: string, mode: '429' | '5xx' | 'timeout' | 'reset', count = 1) =>
    control('POST', '/faults', { match, mode, count });
  const budget = (communityId: string, thousandths: number) => server.sql`
    insert into x_budgets (community_id, monthly, changed_at) values (${communityId}, ${thousandths}, now())
    on conflict (community_id) do update set monthly = ${thousandths}`;
  const claim = (communityId: string, taskId: string, cookie: string, evidence: object) =>
    server.request('POST', `/api/communities/${communityId}/tasks/${taskId}/claims`, {
      cookie,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { evidence },
    });
  const read = async (communityId: string, claimId: string, cookie: string) =>
    (await server.request('GET', `/api/communities/${communityId}/claims/${claimId}`, { cookie })).json;
  const run = () => runXChecks(server.runtime, new AbortController().signal);
  const task = (place: Awaited<ReturnType<typeof on.community>>, setup: TaskSetup, points = 0) =>
    on.task(place, { setup, points });
  return { server, on, control, linked, link, post, act, fault, budget, claim, read, run, task };
}
