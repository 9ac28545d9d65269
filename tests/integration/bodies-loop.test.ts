import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, test } from 'vitest';
import { JSON_BODY_BYTES } from '../../server/contract/limits.ts';
import { ofFile } from '../support/of-file.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, type RouteUnderTest, sampleBody } from '../support/samples.ts';
import { testServer } from '../support/server.ts';
import { community, memberOf } from '../support/world.ts';

/** Processor time that one turn of the event loop may take, with whatever the database's answers cost in it. */
const TURN_MS = 100;
/** Of smaller bodies the test's own memory would be what is seen. */
const LARGE_BYTES = 1_000_000;
/** Turns of the event loop between two looks at the memory, each of which takes as long as many turns of a large file. */
const LOOKED_EVERY = 20;

const server = await ofFile(testServer());
const secret = server.runtime.config.telegram.webhookSecret ?? '';
const place = await community(server, (await server.person()).userId);
const sender = fork(join(import.meta.dirname, '../support/body-sender.mjs'));
afterAll(() => {
  sender?.kill();
});

const ROLES = ['stranger', 'member', 'leader'] as const;
const SHAPES = ['a flat list', 'deep nesting', 'many fields', 'one text', 'random bytes'] as const;
const OF_TABLES = ['line ends', 'quotation marks', 'commas', 'people'] as const;

const limitOf = ({ declaration }: RouteUnderTest): number => declaration.bodyBytes ?? JSON_BODY_BYTES;
const taking = ALL_ROUTES.filter(
  ({ key, declaration }) => declaration.bodyTypes !== undefined || sampleBody(key) !== undefined,
);
/** Every route before a release; else those that take more than the usual, and what anybody may send. */
const isWhole = process.env['TIER'] === 'all';
const played = isWhole
  ? taking
  : taking.filter((route) => limitOf(route) > JSON_BODY_BYTES || /client-logs$|batch$/.test(route.path));

/**
 * Processor time of the thread that serves: that of all threads has in it what others tidy up beside it. Elsewhere than on Linux
 * only that is told.
 */
function spentMs(): number {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/** The longest that the event loop was busy at a stretch while `work` went on, as processor time in ms. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let begun = spentMs();
  const turn = () => {
    const now = spentMs();
    longest = Math.max(longest, now - begun);
    begun = now;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return longest;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The most bytes that were live at once while `work` went on, over those before. */
async function mostMemory(work: () => Promise<unknown>): Promise<number> {
  const live = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  const before = live();
  let most = 0;
  let isOver = false;
  let turns = 0;
  const turn = () => {
    turns += 1;
    if (turns < LOOKED_EVERY || turns % LOOKED_EVERY === 0) most = Math.max(most, live() - before);
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  isOver = true;
  return most;
}

type Sent = { status: number; asked: number; unanswered: number };
async function send(route: RouteUnderTest, shape: string, cookie: string, bytes = limitOf(route)): Promise<Sent> {
  const { bodyTypes } = route.declaration;
  const path = fill(route.path, { ...idsOfNothing(), communityId: place.id, taskId: place.taskId });
  sender.send({
    port: server.runtime.config.port,
    method: route.method,
    path: path + queryOf(route.path),
    headers: {
      'sec-fetch-site': 'same-origin',
      'content-type': bodyTypes?.[0] ?? 'application/json',
      'idempotency-key': randomUUID(),
      'x-telegram-bot-api-secret-token': secret,
      cookie,
    },
    shape,
    bytes,
  });
  const [answer] = (await once(sender, 'message')) as [Sent];
  return answer;
}

describe.each(played)('$key', (route) => {
  const shapes = route.declaration.bodyTypes?.includes('text/csv') ? [...SHAPES, ...OF_TABLES] : SHAPES;

  test.each(shapes)('never holds the event loop, whoever sends its largest body: %s', async (shape) => {
    const people = {
      stranger: await server.person(),
      member: await memberOf(server, place.id, 'member'),
      leader: await memberOf(server, place.id, 'leader', { role: 'admin' }),
    };
    // Once for the compiler.
    await send(route, shape, people.leader.cookie, Math.ceil(limitOf(route) / 16));
    for (const role of ROLES) {
      let sent: Sent | undefined;
      const longest = await longestTurn(async () => {
        sent = await send(route, shape, people[role].cookie);
      });
      expect(sent?.status, role).toBeGreaterThanOrEqual(200);
      expect(sent?.status, role).toBeLessThan(500);
      expect(sent?.unanswered, role).toBe(0);
      expect(longest, role).toBeLessThan(TURN_MS);
    }
  });

  // Of a table of people each line is remembered, with what it says.
  const lasting = shapes.filter((shape) => shape !== 'people');
  const isWeighed = isWhole ? limitOf(route) >= LARGE_BYTES : route.path.endsWith('/imports');
  if (isWeighed)
    test.each(lasting)('holds no more than three times its body: %s', async (shape) => {
      const { cookie } = await memberOf(server, place.id, 'leader');
      const most = await mostMemory(() => send(route, shape, cookie));
      expect(most).toBeLessThan(3 * limitOf(route));
    });
});
