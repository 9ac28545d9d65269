import type { Evidence } from '../../../../server/contract/claims.ts';
import { claimPeriods } from '../../../../server/contract/periods.ts';
import type { Season } from '../../../../server/contract/seasons.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { ACTORS } from '../../../../server/domain/review-rules.ts';
import { setupOf } from '../../../../server/domain/task-row.ts';
import { SAMPLE_COMMUNITIES, SAMPLE_PEOPLE, type SampleCommunity } from '../../../../server/sandbox/sample.ts';
import { SAMPLE_PICTURE } from '../../../../server/sandbox/sample-picture.ts';
import { GROUPS, LEADER, MEMBER, MODERATORS, MORE_CLAIMS, MORE_PEOPLE, WITH_LEAGUES } from './seed-people.ts';
import {
  type Community,
  emptyWorld,
  nameOf,
  newId,
  note,
  type Person,
  record,
  type StoredClaim,
  type StoredTask,
  titleOf,
  type World,
} from './world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Weeks of check-ins that lie behind the first look. */
const HISTORY_DAYS = 42;
/** Days in a row that the demo's member has behind them. */
const STREAK_DAYS = 12;
/** And as many before those without anything: more than freezes and the repair would save. */
const REST_DAYS = 5;

/** Numbers in [0, 1) that are the same each time (mulberry32): the demo looks alike to everybody whom a link is sent to. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Demo = { world: World; member: Person; leader: Person };

/** The communities that a first start of the product shows, with weeks of history before `now`. `timeZone`: of whoever looks. */
export function seedDemo(now: Date, timeZone: string): Demo {
  const world = emptyWorld();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const communities = SAMPLE_COMMUNITIES.map((sample) => ({ sample, id: newId(world) }));
  const people = [...MORE_PEOPLE, ...SAMPLE_PEOPLE].map(({ telegramUserId, firstName, lastName, username }, index) => ({
    id: newId(world),
    name: `${firstName} ${lastName}`,
    telegramUserId,
    handle: username,
    joinedAt: before((90 - index) * DAY_MS).toISOString(),
    timeZone,
  }));
  world.people.push(...people);
  const personOf = (telegramUserId: string): Person => {
    const person = people.find((one) => one.telegramUserId === telegramUserId);
    if (!person) throw new Error(`The sample names nobody as ${telegramUserId}`);
    return person;
  };
  for (const { sample, id } of communities) found(world, sample, id, { now, personOf });
  inOrder(world);
  return { world, member: personOf(MEMBER), leader: personOf(LEADER) };
}

type Setting = { now: Date; personOf: (telegramUserId: string) => Person };

function found(world: World, sample: SampleCommunity, id: string, { now, personOf }: Setting): void {
  const at = (ms: number) => new Date(now.getTime() - ms).toISOString();
  const leader = personOf(sample.leader);
  const { slug, name, description, rules, tags, languages } = sample;
  const community: Community = {
    id,
    slug,
    name,
    description,
    rules,
    tags,
    languages,
    visibility: 'public',
    inviteThreshold: 50,
    createdAt: at(80 * DAY_MS),
    board: { state: 'open', since: at(80 * DAY_MS) },
    leaguesSince: slug === WITH_LEAGUES ? at(HISTORY_DAYS * DAY_MS) : null,
    chats: [],
    members: [
      { userId: leader.id, role: 'leader', joinedAt: at(80 * DAY_MS) },
      ...sample.members.map((one, index) => ({
        userId: personOf(one).id,
        role: MODERATORS.includes(one) ? ('moderator' as const) : ('member' as const),
        joinedAt: at((60 - index * 3) * DAY_MS),
      })),
    ],
    announcements: [],
    seasons: [],
  };
  world.communities.push(community);
  const title = GROUPS[slug];
  if (title !== undefined)
    community.chats.push({
      id: newId(world),
      sort: 'group',
      title,
      gate: 'off',
      checkedAt: at(HOUR_MS),
      connectedAt: at(30 * DAY_MS),
      // Whoever came last has not joined it yet.
      inside: community.members.slice(0, -1).map(({ userId }) => userId),
    });
  // An event needs a steward's key, which the demo has not.
  const tasks = sample.tasks.filter(({ setup }) => setup.kind !== 'telegram_event');
  for (const [index, task] of tasks.entries()) world.tasks.push(taskFrom(world, id, task, at(70 * DAY_MS - index)));
  const own = world.tasks.filter((task) => task.communityId === id);
  history(world, community, own, now);
  const write = writer(world, community, leader, own);
  const claims = [...sample.claims, ...MORE_CLAIMS.filter((claim) => claim.slug === slug)];
  for (const [index, { person, task, text, evidence, decision, appeal }] of claims.entries()) {
    const isCounted = decision?.decision === 'approve';
    // What the member did lately is of today, but what counts: today is theirs to be counted.
    const sent = person !== MEMBER ? (index + 2) * HOUR_MS : isCounted ? 3 * DAY_MS : HOUR_MS;
    write({
      task,
      member: personOf(person),
      at: new Date(now.getTime() - sent),
      evidence: text === undefined ? pictured(world, evidence) : { kind: 'submit_text', text },
      decision,
      decidedAt: new Date(now.getTime() - sent / 2),
      appeal,
    });
  }
  for (const [index, { title, body, pinnedDays }] of (sample.announcements ?? []).entries())
    community.announcements.push({
      id: newId(world),
      title,
      body,
      by: leader.name,
      at: at((9 - index * 4) * DAY_MS),
      pinnedUntil: pinnedDays === undefined ? null : at(-pinnedDays * DAY_MS),
    });
  if (sample.season) community.seasons.push(seasonFrom(world, own, sample.season, at));
}

function taskFrom(
  world: World,
  communityId: string,
  task: SampleCommunity['tasks'][number],
  createdAt: string,
): StoredTask {
  const { setup, after, caps, ...words } = task;
  const { kind, ...config } = setup;
  const first = world.tasks.find((one) => one.communityId === communityId && one.title === after);
  return {
    ...words,
    id: newId(world),
    communityId,
    createdAt,
    publishedAt: null,
    kind,
    config,
    status: 'live',
    opensAt: null,
    closesAt: null,
    localWindow: null,
    capTotal: caps?.total ?? null,
    capMember: caps?.member ?? null,
    coolDownMinutes: caps?.coolDownMinutes ?? 0,
    conditions: first ? { match: 'all', of: [{ is: 'task', taskId: first.id }] } : null,
  };
}

function seasonFrom(
  world: World,
  tasks: readonly StoredTask[],
  { name, rules, days, tasks: titles, rewards, isLive }: NonNullable<SampleCommunity['season']>,
  at: (ms: number) => string,
): Season {
  const id = newId(world);
  return {
    id,
    name,
    rules,
    state: isLive ? 'live' : 'draft',
    startsAt: isLive ? at(10 * DAY_MS) : null,
    endsAt: at(-days * DAY_MS),
    graceUntil: at(-(days + 2) * DAY_MS),
    graceHours: 48,
    taskIds: tasks.filter(({ title }) => titles.includes(title)).map((task) => task.id),
    rewards: rewards.map((reward) => ({
      ...reward,
      id: newId(world),
      seasonId: id,
      seedHash: null,
      drawnAt: null,
    })),
  };
}

/** The picture that a sample's claim shows, kept once. */
function pictured(world: World, evidence: SampleCommunity['claims'][number]['evidence']): Evidence | null {
  if (evidence?.kind !== 'submit_image') return evidence ?? null;
  const imageId = newId(world);
  world.pictures.set(imageId, `data:image/webp;base64,${SAMPLE_PICTURE}`);
  return { ...evidence, imageId };
}

/** Weeks of check-ins: most come on most days, and the demo's member has not missed one lately. */
function history(world: World, community: Community, tasks: readonly StoredTask[], now: Date): void {
  const chance = chances(community.slug.length * 7_919);
  const checkIns = tasks.filter(({ kind }) => kind === 'check_in');
  const quiz = tasks.find(({ kind }) => kind === 'quiz');
  const write = writer(world, community, null, tasks);
  for (const [index, { userId, role, joinedAt }] of community.members.entries()) {
    if (role === 'leader') continue;
    const member = world.people.find(({ id }) => id === userId);
    if (!member) continue;
    const isMember = member.telegramUserId === MEMBER;
    const diligence = 0.35 + 0.08 * ((index * 5) % 7);
    const thisWeek = claimPeriods(localDay(now, member.timeZone)).weekly;
    for (let back = HISTORY_DAYS; back >= 1; back -= 1) {
      const at = new Date(now.getTime() - back * DAY_MS - Math.floor(chance() * 6) * 20 * 60_000);
      const rests = isMember && back > STREAK_DAYS && back <= STREAK_DAYS + REST_DAYS;
      if (at.toISOString() < joinedAt || rests) continue;
      for (const task of checkIns) {
        const { weekly } = claimPeriods(localDay(at, member.timeZone));
        const isDue = task.recurrence === 'daily' || (weekly !== thisWeek && back % 7 === 3);
        const comes = chance() < diligence || (isMember && back <= STREAK_DAYS && task.recurrence === 'daily');
        if (isDue && comes) write({ task: task.title, member, at, evidence: null });
      }
      if (quiz && back === 20 + index && !isMember) write({ task: quiz.title, member, at, evidence: passed(quiz, at) });
    }
  }
}

function passed(task: StoredTask, at: Date): Evidence | null {
  const setup = setupOf(task);
  if (setup.kind !== 'quiz') return null;
  const answers = setup.questions.map(({ id, correct }) => ({ questionId: id, optionIds: correct }));
  return { kind: 'quiz', startedAt: new Date(at.getTime() - 90_000).toISOString(), tookMs: 90_000, answers };
}

type Written = {
  task: string;
  member: Person;
  at: Date;
  evidence: Evidence | null;
  decision?: SampleCommunity['claims'][number]['decision'] | undefined;
  decidedAt?: Date;
  appeal?: string | undefined;
};
const DECIDED = {
  approve: { state: 'approved', kind: 'approved' },
  reject: { state: 'rejected', kind: 'rejected' },
  request_changes: { state: 'changes_requested', kind: 'sent_back' },
} as const;
/** Kinds that the server decides by itself. */
const AT_ONCE = new Set(['check_in', 'visit_link', 'quiz', 'poll', 'scale']);

/** Writes claims as they were made and decided at their time, unless the period is taken. */
function writer(world: World, community: Community, leader: Person | null, tasks: readonly StoredTask[]) {
  return ({ task: title, member, at, evidence, decision, decidedAt = at, appeal }: Written): void => {
    const task = tasks.find((one) => one.title === title);
    if (!task) return;
    const period = claimPeriods(localDay(at, member.timeZone))[task.recurrence];
    const isTaken = world.claims.some(
      (one) => one.taskId === task.id && one.userId === member.id && one.period === period && one.state !== 'rejected',
    );
    if (isTaken) return;
    const isAtOnce = AT_ONCE.has(task.kind);
    const claim: StoredClaim = {
      id: newId(world),
      version: 1,
      taskId: task.id,
      period,
      state: isAtOnce ? 'approved' : 'submitted',
      points: task.points,
      evidence,
      checks: [],
      submittedAt: at.toISOString(),
      decidedAt: isAtOnce ? at.toISOString() : null,
      decidedBy: null,
      reason: null,
      retryAt: null,
      appeal: null,
      communityId: community.id,
      userId: member.id,
      deciderId: null,
      history: [],
      actedAt: at.toISOString(),
      day: localDay(at, member.timeZone),
    };
    world.claims.push(claim);
    const sent = { kind: isAtOnce ? 'checked' : 'submitted', at, actorId: member.id, reason: null, evidence } as const;
    note(world, claim, sent, null, ACTORS);
    if (decision && leader) decided(world, claim, { decision, leader, at: decidedAt });
    if (claim.state === 'approved')
      record(
        world,
        {
          kind: 'award',
          points: task.points,
          communityId: community.id,
          userId: member.id,
          taskId: task.id,
          reason: null,
          actorId: claim.deciderId,
        },
        decision ? decidedAt : at,
        claim,
      );
    if (appeal === undefined) return;
    claim.appeal = { text: appeal, at: decidedAt.toISOString(), outcome: 'open' };
    note(world, claim, { kind: 'appealed', at: decidedAt, actorId: member.id, reason: appeal }, 'rejected', ACTORS);
  };
}

function decided(
  world: World,
  claim: StoredClaim,
  { decision, leader, at }: { decision: NonNullable<Written['decision']>; leader: Person; at: Date },
): void {
  const { state, kind } = DECIDED[decision.decision];
  const reason = 'reason' in decision ? decision.reason : null;
  const from = claim.state;
  Object.assign(claim, { state, reason, decidedAt: at.toISOString(), deciderId: leader.id });
  claim.checks.push({ what: 'review', at: at.toISOString(), ok: state === 'approved', note: null });
  note(world, claim, { kind, at, actorId: leader.id, reason }, from, ACTORS);
  world.audit.push({
    id: newId(world),
    communityId: claim.communityId,
    at: at.toISOString(),
    action: `claim.${state}`,
    by: leader.name,
    subject: nameOf(world, claim.userId) ?? titleOf(world, claim.taskId),
    reason,
  });
}

/** Claims and the ledger by their times, its numbers growing with them; the audit log has the latest first. */
function inOrder(world: World): void {
  world.claims.sort((a, b) => a.submittedAt.localeCompare(b.submittedAt));
  world.ledger.sort((a, b) => a.at.localeCompare(b.at));
  for (const [index, entry] of world.ledger.entries()) entry.id = String(index + 1);
  world.audit.sort((a, b) => b.at.localeCompare(a.at));
}
