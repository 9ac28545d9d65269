import type { Evidence } from '../../../../server/contract/claims.ts';
import type { Season } from '../../../../server/contract/seasons.ts';
import { localDay } from '../../../../server/domain/periods.ts';
import { setupOf } from '../../../../server/domain/task-row.ts';
import { claimPeriods } from '../../../../server/rules/periods.ts';
import { SAMPLE_COMMUNITIES, SAMPLE_PEOPLE, type SampleCommunity } from '../../../../server/sandbox/sample.ts';
import { SAMPLE_PICTURE } from '../../../../server/sandbox/sample-picture.ts';
import { appeal as appealAs, claimTask } from './claims.ts';
import { decideClaim } from './review.ts';
import { GROUPS, LEADER, MEMBER, MODERATORS, MORE_CLAIMS, MORE_PEOPLE, WITH_LEAGUES } from './seed-people.ts';
import { periodOf } from './tasks.ts';
import { type Community, type Person, type StoredTask, World } from './world.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Days of check-ins before the first look. */
const HISTORY_DAYS = 42;
/** Length of the demo member's streak in days. */
const STREAK_DAYS = 12;
/** Empty days before the streak: more than freezes and the repair could save. */
const REST_DAYS = 5;

/** Reproducible numbers in [0, 1) (mulberry32), so a shared link shows everyone the same demo. */
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

/** The sample communities of a fresh instance, with weeks of history before `now`. `timeZone`: the viewer's. */
export function seedDemo(now: Date, timeZone: string): Demo {
  const world = new World();
  const before = (ms: number) => new Date(now.getTime() - ms);
  const communities = SAMPLE_COMMUNITIES.map((sample) => ({ sample, id: world.newId() }));
  const people = [...MORE_PEOPLE, ...SAMPLE_PEOPLE].map(({ telegramUserId, firstName, lastName, username }, index) => ({
    id: world.newId(),
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
  for (const { sample, id } of communities) foundCommunity(world, sample, id, { now, personOf });
  inOrder(world);
  world.notices = [];
  return { world, member: personOf(MEMBER), leader: personOf(LEADER) };
}

type Setting = { now: Date; personOf: (telegramUserId: string) => Person };

function foundCommunity(world: World, sample: SampleCommunity, id: string, { now, personOf }: Setting): void {
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
      id: world.newId(),
      sort: 'group',
      title,
      gate: 'off',
      checkedAt: at(HOUR_MS),
      connectedAt: at(30 * DAY_MS),
      // The newest member has not joined it yet.
      inside: community.members.slice(0, -1).map(({ userId }) => userId),
    });
  // Events need a steward's key, which the demo lacks.
  const tasks = sample.tasks.filter(({ setup }) => setup.kind !== 'telegram_event');
  for (const [index, task] of tasks.entries()) world.tasks.push(taskFrom(world, id, task, at(70 * DAY_MS - index)));
  const own = world.tasks.filter((task) => task.communityId === id);
  history(world, community, own, now);
  const claims = [...sample.claims, ...MORE_CLAIMS.filter((claim) => claim.slug === slug)];
  for (const [index, { person, task, text, evidence, decision, appeal }] of claims.entries()) {
    const isCounted = decision?.decision === 'approve';
    // The member's recent claims are from today, except counted ones: today is still theirs to earn.
    const sent = person !== MEMBER ? (index + 2) * HOUR_MS : isCounted ? 3 * DAY_MS : HOUR_MS;
    const row = own.find(({ title: named }) => named === task);
    const me = personOf(person);
    const claimed = text === undefined ? pictured(world, evidence) : ({ kind: 'submit_text', text } as const);
    const claim = row && send(world, community, row, me, new Date(now.getTime() - sent), claimed);
    const decidedAt = new Date(now.getTime() - sent / 2);
    if (claim && decision) decideClaim({ world, me: leader, now: decidedAt }, community, claim.id, decision);
    if (claim && appeal !== undefined) appealAs({ world, me, now: decidedAt }, community, claim.id, { text: appeal });
  }
  for (const [index, { title, body, pinnedDays }] of (sample.announcements ?? []).entries())
    community.announcements.push({
      id: world.newId(),
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
    id: world.newId(),
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
  const id = world.newId();
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
      id: world.newId(),
      seasonId: id,
      seedHash: null,
      drawnAt: null,
    })),
  };
}

/** Stores a sample claim's picture once. */
function pictured(world: World, evidence: SampleCommunity['claims'][number]['evidence']): Evidence | null {
  if (evidence?.kind !== 'submit_image') return evidence ?? null;
  const imageId = world.newId();
  world.pictures.set(imageId, `data:image/webp;base64,${SAMPLE_PICTURE}`);
  return { ...evidence, imageId };
}

/** Weeks of check-ins: most members on most days, and the demo's member on every recent day. */
function history(world: World, community: Community, tasks: readonly StoredTask[], now: Date): void {
  const chance = chances(community.slug.length * 7_919);
  const checkIns = tasks.filter(({ kind }) => kind === 'check_in');
  const quiz = tasks.find(({ kind }) => kind === 'quiz');
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
        if (isDue && comes) send(world, community, task, member, at, null);
      }
      if (quiz && back === 20 + index && !isMember) send(world, community, quiz, member, at, passingEvidence(quiz, at));
    }
  }
}

function passingEvidence(task: StoredTask, at: Date): Evidence | null {
  const setup = setupOf(task);
  if (setup.kind !== 'quiz') return null;
  const answers = setup.questions.map(({ id, correct }) => ({ questionId: id, optionIds: correct }));
  return { kind: 'quiz', startedAt: new Date(at.getTime() - 90_000).toISOString(), tookMs: 90_000, answers };
}

/** Adds a claim at its time, unless its period is taken. */
function send(world: World, community: Community, task: StoredTask, me: Person, now: Date, evidence: Evidence | null) {
  const period = periodOf(task, now, me.timeZone);
  const isTaken = world.claims.some(
    (one) => one.taskId === task.id && one.userId === me.id && one.period === period && one.state !== 'rejected',
  );
  return isTaken ? null : claimTask({ world, me, now }, community, task.id, evidence ? { evidence } : {});
}

/** Sorts claims and ledger by time, with ascending ids; the audit log has the latest first. */
function inOrder(world: World): void {
  world.claims.sort((a, b) => a.submittedAt.localeCompare(b.submittedAt));
  world.ledger.sort((a, b) => a.at.localeCompare(b.at));
  for (const [index, entry] of world.ledger.entries()) entry.id = String(index + 1);
  world.audit.sort((a, b) => b.at.localeCompare(a.at));
}
