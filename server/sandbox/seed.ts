import { randomUUID } from 'node:crypto';
import { SAMPLE_COMMUNITIES, SAMPLE_PEOPLE, type SampleCommunity } from './sample.ts';

const TIMEOUT_MS = 15_000;

/** One person's browser: keeps cookies and follows nothing by itself. */
type Browser = { origin: string; cookies: Map<string, string> };

async function send(browser: Browser, method: string, path: string, body?: unknown): Promise<Response> {
  const answer = await fetch(new URL(path, browser.origin), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      // The app may answer at 127.0.0.1 for a public origin of another name; this is its own page asking.
      'sec-fetch-site': 'same-origin',
      ...(browser.cookies.size > 0 ? { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') } : {}),
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const value = pair.slice(at + 1);
    if (value === '') browser.cookies.delete(pair.slice(0, at));
    else browser.cookies.set(pair.slice(0, at), value);
  }
  return answer;
}

/** Calls the API and reads its JSON; throws with the server's own words when it refuses. */
async function ask<T>(browser: Browser, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(browser, method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Where a redirect leads; throws when the answer is none. */
async function redirectOf(answer: Response): Promise<URL> {
  const location = answer.headers.get('location');
  if (location === null) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return new URL(location, answer.url);
}

/** Has the provider approve for a person and gives the address it sends the browser back to. */
async function approved(authorize: URL, person: string): Promise<URL> {
  authorize.searchParams.set('person', person);
  return redirectOf(await fetch(authorize, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }));
}

/** Signs a person in through Telegram and links their X account, as they would in a browser. */
async function enter(origin: string, person: string): Promise<Browser> {
  const browser: Browser = { origin, cookies: new Map() };
  const toTelegram = await redirectOf(await send(browser, 'GET', '/api/auth/telegram/start'));
  const back = await approved(toTelegram, person);
  await redirectOf(await send(browser, 'GET', `${back.pathname}${back.search}`));
  const user = await ask<{ isVerified: boolean }>(browser, 'GET', '/api/auth/user');
  if (!user.isVerified) {
    const toX = await redirectOf(await send(browser, 'GET', '/api/auth/x/start'));
    const returned = await approved(toX, person);
    await ask(browser, 'POST', '/api/auth/x/complete', {
      code: returned.searchParams.get('code'),
      state: returned.searchParams.get('state'),
    });
  }
  return browser;
}

/**
 * Fills an empty instance with sample communities over its public API, signing people in at the sandbox.
 * Answers false, and does nothing, when there is any community already. Throws when the app refuses a step.
 */
export async function seedSample(appOrigin: string, sandboxUrl: string): Promise<boolean> {
  const nobody: Browser = { origin: appOrigin, cookies: new Map() };
  if ((await ask<unknown[]>(nobody, 'GET', '/api/communities')).length > 0) return false;

  for (const person of SAMPLE_PEOPLE) {
    const answer = await fetch(new URL('/control/people', sandboxUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the sandbox did not take a person: ${await answer.text()}`);
  }
  const browsers = new Map<string, Browser>();
  const as = async (person: string): Promise<Browser> => {
    const browser = browsers.get(person) ?? (await enter(appOrigin, person));
    browsers.set(person, browser);
    return browser;
  };
  for (const sample of SAMPLE_COMMUNITIES) await found(sample, as);
  return true;
}

async function found(sample: SampleCommunity, as: (person: string) => Promise<Browser>): Promise<void> {
  const { leader, tasks, members, claims, ...about } = sample;
  const { id } = await ask<{ id: string }>(await as(leader), 'POST', '/api/communities', about);
  const base = `/api/communities/${id}`;
  const taskIds = new Map<string, string>();
  for (const { kind, ...task } of tasks) {
    const body = { setup: { kind }, ...task };
    const made = await ask<{ id: string }>(await as(leader), 'POST', `${base}/tasks`, body);
    taskIds.set(task.title, made.id);
  }
  for (const member of members) await ask(await as(member), 'POST', `${base}/join`);
  for (const { person, task, text, decision } of claims) {
    const path = `${base}/tasks/${taskIds.get(task) ?? ''}/claims`;
    const claim = await ask<{ id: string }>(await as(person), 'POST', path, {
      ...(text === undefined ? {} : { evidence: { kind: 'submit_text', text } }),
      actedAt: new Date().toISOString(),
    });
    if (decision) await ask(await as(leader), 'POST', `${base}/claims/${claim.id}/decision`, decision);
  }
}
