import { randomUUID } from 'node:crypto';
import { SAMPLE_COMMUNITIES, SAMPLE_PEOPLE, type SampleCommunity } from './sample.ts';
import { SAMPLE_PICTURE } from './sample-picture.ts';

const TIMEOUT_MS = 15_000;

/** One person's browser: stores cookies and follows no redirects. */
type Browser = { origin: string; cookies: Map<string, string> };

async function send(browser: Browser, method: string, path: string, body?: unknown): Promise<Response> {
  const isPicture = Buffer.isBuffer(body);
  const answer = await fetch(new URL(path, browser.origin), {
    method,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      // The app may answer at 127.0.0.1 for a public origin of another name; this request counts as from its own page.
      'sec-fetch-site': 'same-origin',
      ...(browser.cookies.size > 0 ? { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') } : {}),
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      ...(body === undefined ? {} : { 'content-type': isPicture ? 'image/webp' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isPicture ? new Uint8Array(body) : JSON.stringify(body) }),
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
export async function call<T>(browser: Browser, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(browser, method, path, body);
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Target of a redirect; throws when the answer is none. */
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
export async function enter(origin: string, person: string): Promise<Browser> {
  const browser: Browser = { origin, cookies: new Map() };
  const toTelegram = await redirectOf(await send(browser, 'GET', '/api/auth/telegram/start'));
  const back = await approved(toTelegram, person);
  await redirectOf(await send(browser, 'GET', `${back.pathname}${back.search}`));
  const user = await call<{ isVerified: boolean }>(browser, 'GET', '/api/auth/user');
  if (!user.isVerified) {
    const toX = await redirectOf(await send(browser, 'GET', '/api/auth/x/start'));
    const returned = await approved(toX, person);
    await call(browser, 'POST', '/api/auth/x/complete', {
      code: returned.searchParams.get('code'),
      state: returned.searchParams.get('state'),
    });
  }
  return browser;
}

/**
 * Fills an empty instance with sample communities over its public API, signing people in at the sandbox. The people are
 * registered at the sandbox each time, because it forgets them when it ends and the app still writes to them. Returns
 * false, and creates nothing, when there is any community already. Throws when the app rejects a step.
 */
export async function seedSample(appOrigin: string, sandboxUrl: string): Promise<boolean> {
  for (const person of SAMPLE_PEOPLE) {
    const answer = await fetch(new URL('/control/people', sandboxUrl), {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(person),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the sandbox did not take a person: ${await answer.text()}`);
  }
  const nobody: Browser = { origin: appOrigin, cookies: new Map() };
  if ((await call<unknown[]>(nobody, 'GET', '/api/communities')).length > 0) return false;

  const browsers = new Map<string, Browser>();
  const as = async (person: string): Promise<Browser> => {
    const browser = browsers.get(person) ?? (await enter(appOrigin, person));
    browsers.set(person, browser);
    return browser;
  };
  for (const sample of SAMPLE_COMMUNITIES) await found(sample, as);
  return true;
}

type As = (person: string) => Promise<Browser>;
const HOUR_MS = 60 * 60_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

async function found(sample: SampleCommunity, as: As): Promise<void> {
  const { leader, name, slug, description, rules, tags, languages } = sample;
  const about = { name, slug, description, rules, tags, languages };
  const { id } = await call<{ id: string }>(await as(leader), 'POST', '/api/communities', about);
  const base = `/api/communities/${id}`;
  const taskIds = new Map<string, string>();
  const taskId = (title: string): string => {
    const existing = taskIds.get(title);
    if (existing === undefined) throw new Error(`There is no sample task “${title}”`);
    return existing;
  };
  for (const { setup, after, ...task } of sample.tasks) {
    const body = { ...task, setup: setupOf(setup), ...(after && { conditions: conditionOf(taskId(after)) }) };
    const made = await call<{ id: string }>(await as(leader), 'POST', `${base}/tasks`, body);
    taskIds.set(task.title, made.id);
  }
  for (const member of sample.members) await call(await as(member), 'POST', `${base}/join`);
  if (sample.season) await plan(await as(leader), base, sample.season, taskId);
  for (const { person, reason, task } of sample.grants ?? []) {
    const { id: userId } = await call<{ id: string }>(await as(person), 'GET', '/api/auth/user');
    await call(await as(leader), 'POST', `${base}/tasks/${taskId(task)}/grants`, { userId, reason });
  }
  for (const claim of sample.claims) await make(claim, `${base}/tasks/${taskId(claim.task)}/claims`, base, leader, as);
  for (const { pinnedDays, ...words } of sample.announcements ?? []) {
    const body = { ...words, ...(pinnedDays && { pinnedUntil: inHours(pinnedDays * 24) }) };
    await call(await as(leader), 'POST', `${base}/announcements`, body);
  }
}

const conditionOf = (id: string) => ({ match: 'all', of: [{ is: 'task', taskId: id }] });

function setupOf(setup: SampleCommunity['tasks'][number]['setup']) {
  if (setup.kind !== 'telegram_event') return setup;
  const { kind, place, startsInHours, endsInHours } = setup;
  return { kind, place, startsAt: inHours(startsInHours), endsAt: inHours(endsInHours) };
}

async function plan(
  leader: Browser,
  base: string,
  { name, rules, days, tasks, rewards, isLive }: NonNullable<SampleCommunity['season']>,
  taskId: (title: string) => string,
): Promise<void> {
  const endsAt = inHours(days * 24);
  const body = { name, rules, startsAt: null, endsAt, graceHours: 48, taskIds: tasks.map(taskId) };
  const { id } = await call<{ id: string }>(leader, 'POST', `${base}/seasons`, body);
  for (const reward of rewards) await call(leader, 'POST', `${base}/seasons/${id}/rewards`, reward);
  if (isLive) await call(leader, 'POST', `${base}/seasons/${id}/start`);
}

async function make(
  { person, text, evidence, decision, appeal }: SampleCommunity['claims'][number],
  path: string,
  base: string,
  leader: string,
  as: As,
): Promise<void> {
  const member = await as(person);
  const sent = text === undefined ? await evidenceOf(member, base, evidence) : { kind: 'submit_text', text };
  const body = { ...(sent && { evidence: sent }), actedAt: new Date().toISOString() };
  const claim = await call<{ id: string }>(member, 'POST', path, body);
  if (decision) await call(await as(leader), 'POST', `${base}/claims/${claim.id}/decision`, decision);
  if (appeal) await call(member, 'POST', `${base}/claims/${claim.id}/appeal`, { text: appeal });
}

async function evidenceOf(member: Browser, base: string, evidence: SampleCommunity['claims'][number]['evidence']) {
  if (evidence?.kind !== 'submit_image') return evidence;
  const imageId = randomUUID();
  await call(member, 'PUT', `${base}/images/${imageId}`, Buffer.from(SAMPLE_PICTURE, 'base64'));
  return { ...evidence, imageId };
}
