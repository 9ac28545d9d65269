import { notFound } from '../../../../server/base/http-error.ts';
import type { TaskSetup, TaskWithClaim } from '../../../../server/contract/tasks.ts';
import { hasEnded, offerOf } from '../../../../server/domain/gate.ts';
import { ALIVE, type Facts, named, newcomer, type Other } from '../../../../server/domain/gate-facts.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { reaches } from '../../../../server/domain/roles.ts';
import {
  actionOf,
  changedTask,
  lockedByClaims,
  lockedBySeason,
  newTask,
  touchedBy,
} from '../../../../server/domain/task-change.ts';
import { setupOf, type TaskRow, taskOf } from '../../../../server/domain/task-row.ts';
import { askOf, kindOf } from '../../../../server/kinds/kinds.ts';
import { claimPeriods } from '../../../../server/rules/periods.ts';
import { type AnswersFor, onePage } from './answers.ts';
import { shownClaim } from './claim-shown.ts';
import {
  type Asker,
  audit,
  type Community,
  notify,
  roleIn,
  type StoredClaim,
  type StoredTask,
  type World,
} from './world.ts';

export const isAlive = ({ state }: Pick<StoredClaim, 'state'>): boolean => ALIVE.includes(state);

export function findTask(world: World, community: Community, taskId: string): StoredTask {
  const task = world.tasksOf(community.id).find(({ id }) => id === taskId);
  if (!task) throw notFound('task');
  return task;
}
/** As `findTask`, for members: only reviewers see drafts. */
export function findOffered({ world, me }: Asker, community: Community, taskId: string): StoredTask {
  const task = findTask(world, community, taskId);
  if (task.status === 'draft' && !reaches(roleIn(community, me.id), 'moderator')) throw notFound('task');
  return task;
}

/** A member's facts for gates, for some of a community's tasks or all. */
export function factsOf({ world, me }: Asker, community: Community, rows?: readonly StoredTask[]): Facts {
  const all = world.tasksOf(community.id);
  const ids = rows && [...rows.map(({ id }) => id), ...named(rows)];
  const tasks = ids ? all.filter(({ id }) => ids.includes(id)) : all;
  const claims = world.claimsOf(community.id);
  const mineOf = (taskId: string) => {
    const mine = claims.filter((claim) => claim.taskId === taskId && claim.userId === me.id);
    const waits = mine.flatMap(({ state, retryAt }) => (state === 'rejected' && retryAt ? [Date.parse(retryAt)] : []));
    return {
      approved: mine.filter(({ state }) => state === 'approved').length,
      alive: mine.filter(isAlive).length,
      retryAt: waits.length > 0 ? new Date(Math.max(...waits)) : null,
    };
  };
  return {
    role: roleIn(community, me.id),
    timeZone: me.timeZone,
    points: world.pointsOf(me.id, community.id),
    mine: new Map(tasks.map(({ id }) => [id, mineOf(id)])),
    taken: new Map(tasks.map(({ id }) => [id, claims.filter((one) => one.taskId === id && isAlive(one)).length])),
    others: new Map(tasks.map((task) => [task.id, conditionTask(task)])),
  };
}
const conditionTask = ({ title, status, closesAt, conditions, kind, config }: StoredTask): Other => ({
  title,
  status,
  closesAt,
  conditions,
  eventEndsAt: kind === 'telegram_event' ? String(config['endsAt']) : null,
});

/** Questions keep their written order: nobody copies from a neighbour here. */
const AS_WRITTEN = { publicKey: '', inOrder: <T>(items: readonly T[]): T[] => [...items] };
export const askOfTask = (setup: TaskSetup) => askOf(setup, AS_WRITTEN);

export const periodOf = (task: StoredTask, at: Date, timeZone: string): string =>
  claimPeriods(localDay(at, timeZone))[task.recurrence];

/** The asker's claim for the task's current period: an active one or one with an open appeal, else the latest. */
export function claimNow({ world, me, now }: Asker, task: StoredTask): StoredClaim | null {
  const period = periodOf(task, now, me.timeZone);
  const mine = world.claims.filter(
    (claim) => claim.taskId === task.id && claim.userId === me.id && claim.period === period,
  );
  return mine.findLast((one) => isAlive(one) || one.appeal?.outcome === 'open') ?? mine.at(-1) ?? null;
}

export function withClaim(asker: Asker, task: StoredTask, facts: Facts): TaskWithClaim {
  const claim = claimNow(asker, task);
  return {
    ...taskOf(task, asker.now),
    ask: askOfTask(setupOf(task)),
    gate: offerOf(task, facts, asker.now),
    claim: claim && shownClaim(asker.world, claim),
  };
}

const STATE_ORDER: Partial<Record<StoredClaim['state'], number>> = {
  rejected: 0,
  changes_requested: 0,
  submitted: 2,
  checking: 2,
  approved: 3,
  reversed: 3,
};
/** Live tasks with the member's claims: rejected first, then open, waiting, done; the oldest task first. */
export function todaysTasks(asker: Asker, community: Community): TaskWithClaim[] {
  const facts = factsOf(asker, community);
  const orderOf = ({ claim }: TaskWithClaim) => (claim ? (STATE_ORDER[claim.state] ?? 1) : 1);
  return asker.world
    .tasksOf(community.id)
    .filter(({ status }) => status === 'live')
    .map((task) => withClaim(asker, task, facts))
    .filter(({ ask, claim }) => claim !== null || !hasEnded(ask, asker.now))
    .sort((a, b) => orderOf(a) - orderOf(b));
}

/** How many tasks wait for the member. */
export const todoOf = (asker: Asker, community: Community): number =>
  roleIn(community, asker.me.id) === 'leader'
    ? 0
    : todaysTasks(asker, community).filter(
        ({ claim, gate }) =>
          (claim === null && gate.open) ||
          claim?.state === 'changes_requested' ||
          (claim?.state === 'rejected' && claim.appeal?.outcome !== 'open'),
      ).length;

export const taskAnswers = {
  'GET /api/communities/:communityId/tasks/:taskId': ({ asker, community, params }) =>
    withClaim(asker, findOffered(asker, community, params.taskId), factsOf(asker, community)),

  'GET /api/communities/:communityId/tasks/:taskId/poll': ({ asker: { world, me }, community, params }) => {
    const task = findTask(world, community, params.taskId);
    const setup = setupOf(task);
    const { tally } = kindOf(setup.kind);
    if (!tally) throw notFound('task');
    const votes = world.claims.filter(({ taskId, state }) => taskId === task.id && state === 'approved');
    const chosen = votes.flatMap(({ evidence }) => (evidence?.kind === setup.kind ? tally.chosen(evidence) : []));
    const mayRead = roleIn(community, me.id) === 'leader' || votes.some(({ userId }) => userId === me.id);
    const counts = tally
      .options(setup)
      .map((id) => ({ optionId: id, votes: chosen.filter((one) => one === id).length }));
    return { votes: votes.length, counts: mayRead ? counts : null };
  },
} satisfies AnswersFor<'member'>;

export const taskAnswersForReviewers = {
  'GET /api/communities/:communityId/tasks': ({ asker: { world, me, now }, community, query: { status } }) => {
    const countOf = (taskId: string, states: readonly string[], byPerson = false) =>
      world.claims.filter(
        (claim) => claim.taskId === taskId && states.includes(claim.state) && (!byPerson || claim.deciderId !== null),
      ).length;
    const items = world.tasksOf(community.id).map((task) => ({
      ...taskOf(task, now),
      setup: roleIn(community, me.id) === 'leader' ? setupOf(task) : null,
      createdAt: task.createdAt,
      claims: {
        waiting: countOf(task.id, ['submitted', 'checking', 'changes_requested']),
        approved: countOf(task.id, ['approved']),
        rejected: countOf(task.id, ['rejected'], true),
      },
      lockedBy: seasonBy(community, task)?.name ?? null,
    }));
    return onePage(items.filter((task) => status === undefined || task.status === status));
  },

  'GET /api/communities/:communityId/tasks/:taskId/preview': ({ asker, community, params }) => {
    const task = findTask(asker.world, community, params.taskId);
    const facts = newcomer(asker.me.timeZone, factsOf(asker, community).others);
    return { ...withClaim(asker, { ...task, status: 'live' }, facts), claim: null };
  },
} satisfies AnswersFor<'moderator'>;

export const taskAnswersForLeaders = {
  'PUT /api/communities/:communityId/task-order': ({ asker, community, body: { taskIds } }) => {
    const { world } = asker;
    const at = ({ id }: StoredTask) => (taskIds.includes(id) ? taskIds.indexOf(id) : taskIds.length);
    world.tasks.sort((a, b) => at(a) - at(b));
    audit(asker, community, 'tasks.ordered', null);
    return { ok: true as const };
  },

  'POST /api/communities/:communityId/tasks': ({ asker, community, body }) => {
    const task = added(asker, community, newTask(asker.world.newId(), body, body.setup));
    const action = task.status === 'live' ? 'task.published' : 'task.created';
    audit(asker, community, action, task.title);
    if (task.status === 'live') notifyOfTask(asker, community, task);
    return taskOf(task, asker.now);
  },

  'PATCH /api/communities/:communityId/tasks/:taskId': ({ asker, community, params, body }) => {
    const { world, now } = asker;
    const task = findTask(world, community, params.taskId);
    const wanted = changedTask(task, body, body.setup, now);
    const touched = touchedBy(task, wanted);
    if (touched.claims && world.claims.some(({ taskId }) => taskId === task.id)) throw lockedByClaims();
    const season = touched.season ? seasonBy(community, task) : undefined;
    if (season) throw lockedBySeason(season.name);
    if (!touched.any) return taskOf(task, now);
    const isPublished = wanted.status === 'live' && task.status !== 'live';
    const action = actionOf(task.status, wanted.status);
    Object.assign(task, wanted, isPublished && { publishedAt: now.toISOString() });
    audit(asker, community, action, task.title);
    if (isPublished) notifyOfTask(asker, community, task);
    return taskOf(task, now);
  },

  'POST /api/communities/:communityId/tasks/:taskId/copies': ({ asker, community, params }) => {
    const task = findTask(asker.world, community, params.taskId);
    const copy = added(asker, community, { ...task, id: asker.world.newId(), status: 'draft' });
    audit(asker, community, 'task.copied', copy.title);
    return taskOf(copy, asker.now);
  },
} satisfies AnswersFor<'leader'>;

function added({ world, now }: Asker, community: Community, row: TaskRow): StoredTask {
  const task = { ...row, communityId: community.id, createdAt: now.toISOString(), publishedAt: null };
  world.tasks.push(task);
  return task;
}

/** The running season that counts a task. Where all tasks count, drafts do not, because nobody was promised them. */
const seasonBy = ({ seasons }: Community, { id, status }: StoredTask) =>
  seasons.find(
    ({ state, taskIds }) =>
      (state === 'live' || state === 'grace') && (taskIds.includes(id) || (taskIds.length === 0 && status !== 'draft')),
  );

function notifyOfTask(asker: Asker, { slug, name, members }: Community, { title }: StoredTask): void {
  notify(asker, members, {
    topic: 'task',
    title: `${name}: new task`,
    body: title,
    path: `/community/${slug}/dashboard`,
  });
}
