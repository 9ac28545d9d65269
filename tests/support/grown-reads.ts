/** Every read of the contract, played on a world that has grown, with the pages that each of its statements reads. */
import type { Access } from '../../server/contract/route.ts';
import type { Key } from '../../server/contract/routes.ts';
import { sessionCookie } from '../../server/http/cookies.ts';
import { createSession } from '../../server/http/session.ts';
import { isRead, type Sent, type Work, workOf } from './buffers.ts';
import { type GrownDatabase, grownDatabase } from './grown-world.ts';
import { ALL_ROUTES, fill, idsOfNothing, queryOf, type RouteUnderTest } from './samples.ts';
import { type TestServer, testServer } from './server.ts';
import { furnish } from './world.ts';

/** They are read to their end, in pages of 2,000 rows. */
const FILES = /\/exports?\b|\/archive$/;
/** What a route is asked with, one after the other, where that is not what samples say. */
const ASKED: Partial<Record<Key, { task?: string; queries?: string[] }>> = {
  'GET /api/communities/:communityId/tasks/:taskId/poll': { task: 'poll' },
  'GET /api/admin/client-logs/timeline': { queries: ['?device=device-500'] },
  'GET /api/communities/:communityId/members': {
    queries: [
      '',
      '?order=joined',
      '?order=name',
      '?search=stone',
      '?search=stone%205',
      '?role=member',
      '?role=moderator',
    ],
  },
  'GET /api/communities/:communityId/review': {
    queries: ['', '?kind=submit_text', '?search=stone', '?state=approved', '?state=rejected', '?only=appeals'],
  },
  'GET /api/communities/:communityId/campaigns/reach': {
    queries: [
      '',
      '?roles=member',
      '?roles=leader',
      '?minPoints=20',
      '?activeDays=7',
      '?roles=member&minPoints=20&activeDays=7',
    ],
  },
  'GET /api/admin/campaigns/reach': { queries: ['', '?roles=leader', '?activeDays=7'] },
  'GET /api/admin/people': {
    queries: ['', '?search=stone', '?search=stone%205', '?filter=staff', '?filter=suspended'],
  },
  'GET /api/admin/communities': { queries: ['', '?search=grown', '?filter=counting'] },
};

export type GrownWorld = {
  database: GrownDatabase;
  server: TestServer;
  ids: Record<string, string>;
  cookies: Record<Role, string>;
};
/** A request, what refused it, and its statements with the pages that each reads. */
export type PlayedRead = {
  key: Key;
  /** With the role and what else was asked for. */
  name: string;
  refused: string | null;
  statements: (Work & { query: string; sent: Sent })[];
};

export async function grownWorld(people: number, days: number): Promise<GrownWorld> {
  const database = await grownDatabase(people, days);
  const server = await testServer({ database, sandbox: false });
  const ids = await grownIds(server);
  // The first of all leads the large community, the tenth leads nothing.
  const [roles] = await server.sql<[{ leader: string; operator: string }]>`
    with operator as (update users set role = 'admin' where telegram_user_id = 10000010 returning id)
    select users.id as leader, operator.id as operator from users, operator where telegram_user_id = 10000001`;
  const cookies = {
    member: await cookieOf(server, ids['userId'] ?? ''),
    leader: await cookieOf(server, roles.leader),
    operator: await cookieOf(server, roles.operator),
  };
  return { database, server, ids, cookies };
}

async function cookieOf(server: TestServer, userId: string): Promise<string> {
  const made = await createSession(server.sql, { userId, kind: 'web', userAgent: null, now: new Date() });
  return `${sessionCookie(server.runtime.config, 'web')}=${made.token}`;
}

/** Something of the large community for each id that a path may name. The member is the author of the claim. */
async function grownIds(server: TestServer): Promise<Record<string, string>> {
  const { sql } = server;
  const [found] = await sql<[{ id: string; taskId: string; claimId: string }]>`
    select c.id, t.id as "taskId", w.id as "claimId" from communities c
    join tasks t on t.community_id = c.id and t.title = 'Task 3'
    join claims w on w.task_id = t.id and w.state = 'submitted'
    where c.slug = 'grown-0' order by w.submitted_at limit 1`;
  const furnished = await furnish(server, { ...found, slug: 'world-0' });
  const [own] = await sql<[Record<string, string>]>`
    select w.user_id as "userId", e.id as "entryId", g.issue_id as "issueId", s.id as "seasonId", r.id as "rewardId", n.id as "notificationId",
      i.code
    from claims w
    join client_log_entries e on e.user_id = w.user_id join client_log_groups g on g.id = e.group_id
    join seasons s on s.community_id = w.community_id and s.frozen_at is not null join rewards r on r.season_id = s.id
    join notifications n on n.community_id = w.community_id join invites i on i.community_id = w.community_id
    where w.id = ${found.claimId} limit 1`;
  await sql`update invites set code = 'abcd2345' where code = ${own['code'] ?? ''}`;
  const { id: communityId, ...rest } = found;
  return { ...idsOfNothing(), ...furnished, ...rest, ...own, communityId };
}

async function taskOf({ sql }: TestServer, kind: string, communityId: string): Promise<string | undefined> {
  const [task] = await sql<{ id: string }[]>`
    select id from tasks where community_id = ${communityId} and kind = ${kind} limit 1`;
  return task?.id;
}

type Role = 'member' | 'leader' | 'operator';
function rolesOf(access: Access): readonly Role[] {
  if (access === 'ops' || access === 'admin') return ['operator'];
  return access === 'moderator' || access === 'leader' ? ['leader'] : ['member', 'leader'];
}

/** Every GET of the contract as the roles that may, or those of `names`. */
export async function playReads(world: GrownWorld, names?: ReadonlySet<string>): Promise<PlayedRead[]> {
  const { database, server, ids, cookies } = world;
  const measured = new Map<string, Work>();
  const measure = async (statement: Sent) => {
    const key = JSON.stringify([statement.query, statement.parameters]);
    const work = measured.get(key) ?? (await workOf(server.sql, statement));
    measured.set(key, work);
    return work;
  };
  const played: PlayedRead[] = [];
  const call = async ({ key, path }: RouteUnderTest, role: Role, query: string) => {
    const name = `${key}${query} as ${role}`;
    if (names && !names.has(name)) return;
    const task = ASKED[key]?.task;
    const taskId =
      (task === undefined ? undefined : await taskOf(server, task, ids['communityId'] ?? '')) ?? ids['taskId'] ?? '';
    database.takeSent();
    const reply = await server.request('GET', fill(path, { ...ids, taskId }) + query, { cookie: cookies[role] });
    const statements: PlayedRead['statements'] = [];
    for (const statement of database.takeSent().filter(isRead))
      statements.push({
        query: statement.query.replace(/\s+/g, ' ').trim(),
        ...(await measure(statement)),
        sent: statement,
      });
    const refused = reply.status >= 400 ? `${reply.status} ${reply.text}` : null;
    played.push({ key, name, refused, statements });
  };
  for (const route of ALL_ROUTES)
    if (route.method === 'GET' && !FILES.test(route.path))
      for (const role of rolesOf(route.declaration.access)) {
        server.advance(60_000);
        for (const query of ASKED[route.key]?.queries ?? [queryOf(route.path)]) await call(route, role, query);
      }
  return played;
}
