import { randomUUID } from 'node:crypto';

/** Somebody signed in and verified, with the cookies that prove it. */
export type Person = { telegramUserId: string; userId: string; cookies: Map<string, string> };
export type Cast = { member: Person; other: Person; communityId: string; slug: string };

type Doors = { app: string; sandbox: string };

let born = 40_000;
let founded = 0;

async function send(app: string, cookies: Map<string, string>, method: string, path: string, body?: unknown) {
  const answer = await fetch(new URL(path, app), {
    method,
    redirect: 'manual',
    headers: {
      'sec-fetch-site': 'same-origin',
      cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [pair = ''] = line.split(';');
    const at = pair.indexOf('=');
    const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (value === '') cookies.delete(name);
    else cookies.set(name, value);
  }
  if (answer.status >= 400) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

const target = (answer: Response) => new URL(answer.headers.get('location') ?? '', answer.url);

async function approve(at: URL, person: string): Promise<URL> {
  at.searchParams.set('person', person);
  return target(await fetch(at, { redirect: 'manual' }));
}

/** A new person of the sandbox, signed in and linked through the product's own calls. */
async function arrive({ app, sandbox }: Doors): Promise<Person> {
  born += 1;
  const id = String(born);
  const made = await fetch(`${sandbox}/control/people`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      telegramUserId: id,
      username: `walker${id}`,
      firstName: `Walker ${id}`,
      xId: `9${id}`,
      xUsername: `walker${id}`,
    }),
  });
  if (!made.ok) throw new Error(await made.text());
  const cookies = new Map<string, string>();
  const back = await approve(target(await send(app, cookies, 'GET', '/api/auth/telegram/start')), id);
  await send(app, cookies, 'GET', `${back.pathname}${back.search}`);
  const returned = await approve(target(await send(app, cookies, 'GET', '/api/auth/x/start')), id);
  await send(app, cookies, 'POST', '/api/auth/x/complete', {
    code: returned.searchParams.get('code'),
    state: returned.searchParams.get('state'),
  });
  const user = (await (await send(app, cookies, 'GET', '/api/auth/user')).json()) as { id: string };
  return { telegramUserId: id, userId: user.id, cookies };
}

/** A community of one leader with `tasks` tasks of one press each, and two members. */
export async function gather(doors: Doors, tasks: number): Promise<Cast> {
  const [leader, member, other] = [await arrive(doors), await arrive(doors), await arrive(doors)];
  founded += 1;
  const slug = `round-${founded}`;
  const call = async (who: Person, path: string, body?: unknown) =>
    (await (await send(doors.app, who.cookies, 'POST', path, body)).json()) as { id: string };
  const { id } = await call(leader, '/api/communities', { name: `Round ${founded}`, slug, description: 'A round' });
  for (let task = 1; task <= tasks; task += 1)
    await call(leader, `/api/communities/${id}/tasks`, {
      setup: { kind: 'check_in' },
      title: `Post ${String(task).padStart(2, '0')}`,
      instructions: '',
      points: 5,
      recurrence: 'daily',
    });
  for (const who of [member, other]) await call(who, `/api/communities/${id}/join`);
  return { member, other, communityId: id, slug };
}
