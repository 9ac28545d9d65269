import { expect, it } from 'vitest';
import * as z from 'zod/mini';
import { answer } from '../../app/features/demo/in-memory/answer.ts';
import { type Community, type Person, World } from '../../app/features/demo/in-memory/world.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES } from '../support/samples.ts';
import { KNOWN, type Line, play, ROLES, type Side, SLUG, START } from '../support/scenario.ts';
import { testServer } from '../support/server.ts';

const FOUNDED = new Date(START.getTime() - 30 * 86_400_000);

const server = await ofFile(testServer({ sandbox: false }));

/** Checks an answer against what the contract says of its route. */
function promised(method: string, path: string, answer: unknown): void {
  const [address = ''] = path.split('?');
  const isOf = (one: string) => new RegExp(`^${one.replace(/:\w+/g, '[^/]+')}$`).test(address);
  const [route] = ALL_ROUTES.filter((one) => one.method === method && isOf(one.path)).sort(
    (one, other) => one.path.split(':').length - other.path.split(':').length,
  );
  expect(route, `${method} ${path}`).toBeDefined();
  z.parse(route?.declaration.output as z.ZodMiniType, answer);
}

/** The server with the scenario's people and their community, at the times that the scenario names. */
async function serverSide(): Promise<Side> {
  let now = START;
  server.runtime.now = () => now;
  const { sql } = server;
  const people = new Map<string, { userId: string; cookie: string }>();
  for (const name of Object.keys(ROLES)) {
    const person = await server.person({ name });
    people.set(name, person);
    await sql`
      update users set telegram_username = ${name}, twitter_username = ${name}, x_user_id = ${name}, created_at = ${FOUNDED}
      where id = ${person.userId}`;
  }
  const idOf = (who: string) => people.get(who)?.userId ?? '';
  const [row] = await sql<[{ id: string }]>`
    insert into communities (slug, name, visibility, counts_on_instance, created_by, created_at, board_since)
    values (${SLUG}, 'Both sides', 'public', true, ${idOf('Lena')}, ${FOUNDED}, ${FOUNDED}) returning id`;
  for (const [name, role] of Object.entries(ROLES))
    if (role !== null)
      await sql`
        insert into community_members (community_id, user_id, role, joined_at)
        values (${row.id}, ${idOf(name)}, ${role}, ${FOUNDED})`;
  return {
    idOf,
    async ask(who, { method, path, body, key, at }) {
      now = at;
      const cookie = people.get(who)?.cookie ?? '';
      const headers = key === null ? {} : { 'idempotency-key': key };
      const { status, json } = await server.request(method, path, { cookie, body, headers });
      if (status < 300) promised(method, path, json);
      return { status, body: json };
    },
  };
}

/** The demo with the same people, whose ids decide who comes first where points are equal. */
function demoSide(idOf: Side['idOf']): Side {
  const world = new World();
  const joinedAt = FOUNDED.toISOString();
  const people = Object.keys(ROLES).map(
    (name): Person => ({ id: idOf(name), name, telegramUserId: name, handle: name, joinedAt, timeZone: 'UTC' }),
  );
  world.people.push(...people);
  const at = FOUNDED.toISOString();
  const community: Community = {
    id: '0190f2a0-0000-7000-8000-000000000200',
    slug: SLUG,
    name: 'Both sides',
    description: '',
    rules: '',
    tags: [],
    languages: [],
    visibility: 'public',
    inviteThreshold: 50,
    createdAt: at,
    board: { state: 'open', since: at },
    leaguesSince: null,
    chats: [],
    members: people.flatMap(({ id, name }) => {
      const role = ROLES[name];
      return role ? [{ userId: id, role, joinedAt: at }] : [];
    }),
    announcements: [],
    seasons: [],
  };
  world.communities.push(community);
  const find = (who: string) => people.find(({ name }) => name === who) as Person;
  return {
    idOf,
    async ask(who, { method, path, body, key, at: now }) {
      const asker = { world, me: find(who), now };
      const reply = await answer(asker, { method, url: path, body, key });
      return { status: reply.status, body: JSON.parse(JSON.stringify(reply.body)) };
    },
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** The values of each answer by their path, ids as numbers in the order in which they are met. */
function readerOf(idOf: Side['idOf']): (line: Line) => Map<string, unknown> {
  const names = new Map(Object.keys(ROLES).map((name) => [idOf(name), name]));
  const named = (id: string): string => {
    const name = names.get(id) ?? `id ${names.size + 1}`;
    names.set(id, name);
    return name;
  };
  function* leaves(value: unknown, path: string): Generator<[string, unknown]> {
    if (value !== null && typeof value === 'object') {
      yield [path, Array.isArray(value) ? `${value.length} items` : 'object'];
      const { requestId: _, ...known } = value as { requestId?: string };
      for (const [key, inner] of Object.entries(known).sort(([a], [b]) => (a < b ? -1 : 1)))
        yield* leaves(inner, `${path}.${key}`);
    } else if (typeof value !== 'string') yield [path, value];
    else
      yield [
        path,
        /\.id$/.test(path) && /^\d+$/.test(value)
          ? named(`${/audit/.test(path)} ${value}`)
          : value.replace(UUID, named),
      ];
  }
  return ({ name, body }) => new Map(leaves(body, name));
}

function differences(onServer: readonly Line[], inDemo: readonly Line[], idOf: Side['idOf']): string[] {
  const [readServer, readDemo] = [readerOf(idOf), readerOf(idOf)];
  return onServer.flatMap((line, index) => {
    const [one, other] = [readServer(line), readDemo(inDemo[index] as Line)];
    return [...new Set([...one.keys(), ...other.keys()])]
      .filter((path) => one.get(path) !== other.get(path) && !KNOWN.some(({ at }) => at.test(path)))
      .map((path) => `${path}: ${one.get(path)} on the server, ${other.get(path)} in the demo`);
  });
}

it('answers every command and read of the scenario in the demo as on the server', async () => {
  const there = await serverSide();
  const onServer = await play(there);
  const inDemo = await play(demoSide(there.idOf));
  const results = (lines: Line[]) => lines.map(({ name, result }) => `${name}: ${result}`);
  const expected = onServer.map(({ name, expected: wanted }) => `${name}: ${wanted}`);
  expect.soft(results(onServer), 'the server').toEqual(expected);
  expect.soft(results(inDemo), 'the demo').toEqual(expected);
  expect(differences(onServer, inDemo, there.idOf)).toEqual([]);
});
