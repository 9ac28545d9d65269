/** Answers questions about the member's own standing from this device's data: computed, never by a model. Pure. */
import type { Dashboard } from '../../../server/contract/communities.ts';
import { levelOf, pointsToNextLevel } from '../../../server/contract/limits.ts';
import { namedIn, plainOf } from '../../../server/rules/question.ts';
import type { OutboxEntry } from '../../lib/device.ts';
import { type TaskView, viewToday } from '../../shared/tasks/task-view.ts';

/** A member's data at `now` (epoch ms). `focus` is the last opened community. */
export type StandingData = {
  dashboards: readonly Dashboard[];
  outbox: readonly OutboxEntry[];
  focus: string | null;
  now: number;
};
/** Periods other than now: this device has figures only for now and all time. */
export type Period = 'today' | 'yesterday' | 'tomorrow' | 'week' | 'month' | 'year' | 'season';
export type Subject = 'rejected' | 'today' | 'level' | 'rank' | 'points' | 'streak' | 'pending' | 'unsent' | 'season';

/** Facts of one community; the subject decides which fields are set. */
export type CommunityFacts = { id: string; slug: string; name: string } & Partial<{
  points: number;
  pendingPoints: number;
  pencilPoints: number;
  level: number;
  /** The level in the question, and the points missing to it; none when it is reached. */
  wanted: number;
  missing: number;
  rank: number | null;
  ranked: number;
  days: number;
  countedToday: boolean;
  pencilToday: boolean;
  freezes: number;
  /** Task ids in display order. */
  tasks: string[];
  season: { name: string; endsAt: string } | null;
}>;
export type StandingAnswer = {
  subject: Subject;
  /** The period in a question about points or rank, whose figures this device lacks. */
  period: Period | null;
  communities: CommunityFacts[];
  /** Commands that only this device has, by entry id, oldest first. */
  entries: string[];
};

const OWN = /\b(i|my|me|mine|i'?m|i'?ve)\b/;
/** How-to and what-is questions are for the guides. */
const GENERAL =
  /\bwhat (is|does) (that|this|it)( mean)?$|^(how (do|does|can|could|should|to)\b(?! i stand)|what (is|are) (a|an|the)\b|what (keeps|counts|happens|breaks|does)\b|which day\b|(can|may|could|should) (i|you|we)\b|is (it|there)\b)|\bhow (do|does) \w+( \w+)? work\b/;

/** The first matching pattern decides the subject. Patterns marked `alone` are about the member even without "my". */
const SUBJECTS: readonly { subject: Subject; asks: RegExp; alone?: true }[] = [
  {
    subject: 'unsent',
    asks: /\b(unsent|not sent|outbox)\b|\b(wait\w*|left|still|yet|need\w*) (to be|to get|being|for) (sent|send\w*)\b|\bto send\b|\bneeds me\b|\bonly on (this|my) (phone|device|computer)\b/,
    alone: true,
  },
  {
    subject: 'rejected',
    asks: /\b(reject\w*|refus\w*|declin\w*|denied|turn\w* (it |me |that )?down|(not|n't|never) (been )?(count\w*|accept\w*|approv\w*)|sa(y|ys|id) no|sent back|failed)\b/,
  },
  {
    subject: 'pending',
    asks: /\b(pending|under review|in review|with (a )?reviewers?|be?ing (reviewed|checked|looked at)|wait\w* for (a )?(review\w*|decision|approv\w*)|(reviewed|decided|approved) yet|(not|n't) (yet )?(been )?(reviewed|decided|looked at))\b/,
  },
  { subject: 'level', asks: /\blevel \d+\b/, alone: true },
  { subject: 'level', asks: /\blevel\b/ },
  { subject: 'streak', asks: /^streak (safe|gone|lost)$/, alone: true },
  { subject: 'streak', asks: /\b(streak|freezes?)\b|\bdays in a row\b/ },
  { subject: 'rank', asks: /^(rank|position)$/, alone: true },
  { subject: 'points', asks: /^(points|score|xp)$/, alone: true },
  {
    subject: 'rank',
    asks: /\b(what|which|show|tell)\b.*\b(rank|position|place)\b|\bwhere (do i (stand|rank)|am i)\b|\bhow (do i stand|am i doing)\b|^my (rank|position|place)$/,
  },
  {
    subject: 'points',
    asks: /\bhow many points\b|\b(what|show|tell|see|count)\b.*\bmy (own |total )?(points|score|total|xp)\b(?! c[ao]me)|^my (points|score|xp)$/,
  },
  {
    subject: 'season',
    asks: /\bwhen\b.*\bseason\b.*\b(ends?|over|finish\w*|close\w*)\b|\b(days|time|long)\b.*\b(left|until|till)\b.*\bseason\b|\bseason\b.*\bleft\b|^season ends?$/,
    alone: true,
  },
  {
    subject: 'today',
    asks: /\bwhat ((can|could|should|must|do) i|i (can|could|should|must)) (still )?do\b(?!.*\b(when|if|about|with|against|without|after)\b)|\b(which|what) tasks\b|\bwhat('s| is) (still )?(open|left|next|to do|up)\b|\banything (left |else )?(to do|for me)\b|\bmy (open )?(tasks|todos?)\b/,
  },
  {
    subject: 'today',
    asks: /^what('s| is) (still )?(left|open|to do) (for )?(today|now)$/,
    alone: true,
  },
];

const PERIODS: readonly [RegExp, Period][] = [
  [/\btomorrow\b/, 'tomorrow'],
  [/\b(yesterday|last night)\b/, 'yesterday'],
  [/\b(to-?day|tonight|this (morning|evening))\b/, 'today'],
  [/\bweek(s|ly|end)?\b/, 'week'],
  [/\bmonth(s|ly)?\b/, 'month'],
  [/\byear(s|ly)?\b/, 'year'],
  [/\bseason\b/, 'season'],
];
const PERIOD_WORDS =
  /\b((for|of|in|on|so far) )?((this|last|next|the|past) )?(to-?day|tonight|yesterday|tomorrow|week|month|year|season)\b/g;
const NEGATED = /\b(not|never|no|without|cannot)\b|n't\b/;
/** Subjects counted per period, subjects that allow a period, and subjects whose questions contain "not". */
const OF_PERIODS: ReadonlySet<Subject> = new Set(['rank', 'points']);
const OF_TODAY: ReadonlySet<Subject> = new Set(['today', 'streak', 'unsent', 'pending', 'rejected']);
const OF_NOT: ReadonlySet<Subject> = new Set(['rejected', 'pending', 'unsent']);
/**
 * The only words allowed in a question about numbers. Any other word makes it about something else too: a location, a
 * reason, a friend.
 */
const OF_NUMBERS: ReadonlySet<string> = new Set(
  `a all am and are at be been board can close closes count counted current currently days did do does earn earned end ends far finish
  for freeze freezes from gone have hello hi how i i'm i've in is it keep leaderboard left level levels long lost many me more much
  my need needed next now number of on over own place please points point position rank ranked ranking row safe score season see
  show so stand standing standings still streak tell that the there till time to total until what what's was were when where which will xp`.split(
    /\s+/,
  ),
);
const FREE: ReadonlySet<Subject> = new Set(['rejected', 'pending', 'today', 'unsent']);
const WHERE = /\b(?:in|at|of) (?:the )?([\p{L}' -]+)$/u;
const ANYWHERE =
  /\b(app|communit(y|ies)|groups?|here|review(ers?)?|queue|mine|phone|device|computer|row|me|my|now|all|to ?day|claims?|answers?|photos?|tasks?)\b/;

/** The subject of a standing question, its communities (none: all) and its period. */
export type StandingQuestion = { subject: Subject; period: Period | null; named: ReadonlySet<string> };

/** Parses a question about the member's own standing; null for any other. `names` are their communities' names. */
export function standingQuestion(question: string, names: readonly string[] = []): StandingQuestion | null {
  const plain = plainOf(question).replace(/[?!.,\s]+/g, ' ');
  const { named, rest } = namedIn(plain, names);
  const text = rest
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/ (in|of|at|for|from|on)$/, '');
  if (GENERAL.test(text)) return null;
  const ofAllTime = text.replace(PERIOD_WORDS, ' ').replace(/\s+/g, ' ').trim();
  const isOwn = OWN.test(text);
  const words = ofAllTime.match(/[\p{L}']+/gu) ?? [];
  const subject = SUBJECTS.find(
    ({ subject, asks, alone }) =>
      (isOwn || alone || (named.size > 0 && subject === 'today')) &&
      asks.test(OF_PERIODS.has(subject) ? ofAllTime : text),
  )?.subject;
  if (subject === undefined || (NEGATED.test(text) && !OF_NOT.has(subject))) return null;
  if (!FREE.has(subject) && !words.every((word) => OF_NUMBERS.has(word))) return null;
  const where = WHERE.exec(text)?.[1];
  if (where !== undefined && FREE.has(subject) && !ANYWHERE.test(where)) return null;
  const period = PERIODS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  if (period === null || (period === 'today' && OF_TODAY.has(subject)) || subject === 'season')
    return { subject, period: null, named };
  return OF_PERIODS.has(subject) ? { subject, period, named } : null;
}

export const subjectOf = (question: string): Subject | null => standingQuestion(question)?.subject ?? null;

/** The points at which a level begins. */
export function pointsOfLevel(level: number): number {
  let points = 0;
  for (let below = 0; below < level; below += 1) points += pointsToNextLevel(below);
  return points;
}
const LEVEL_MAX = 1_000;

/** Answers a question about the member's own standing; null for any other. */
export function standingOf(question: string, data: StandingData): StandingAnswer | null {
  const found = standingQuestion(
    question,
    data.dashboards.map(({ community }) => community.name),
  );
  if (found === null) return null;
  const { subject, period, named } = found;
  const text = plainOf(question);
  const shown = inOrder(data).filter(({ community }) => named.size === 0 || named.has(community.name));
  const communities = shown.map((dashboard) => factsOf(subject, dashboard, data, text));
  const hasSome = (facts: CommunityFacts) => facts.tasks === undefined || facts.tasks.length > 0;
  return {
    subject,
    period,
    communities: communities.filter(hasSome),
    entries: subject === 'unsent' ? data.outbox.map(({ id }) => id) : [],
  };
}

const inOrder = ({ dashboards, focus }: StandingData): Dashboard[] => {
  const isFocus = ({ community: { id, slug } }: Dashboard) => id === focus || slug === focus;
  return [...dashboards].sort((a, b) => Number(isFocus(b)) - Number(isFocus(a)));
};

const DOABLE: ReadonlySet<TaskView['state']> = new Set(['unsent', 'changes', 'open']);

function factsOf(subject: Subject, dashboard: Dashboard, data: StandingData, text: string): CommunityFacts {
  const { community, points, pendingPoints, rank, ranked, streakDays, countedToday, freezes, season } = dashboard;
  const today = viewToday(dashboard, data.outbox, data.now);
  const base = { id: community.id, slug: community.slug, name: community.name };
  const tasksIn = (states: ReadonlySet<TaskView['state']>) =>
    today.tasks.filter(({ state }) => states.has(state)).map(({ task }) => task.id);
  switch (subject) {
    case 'rejected':
      return { ...base, tasks: latestFirst(today.tasks, new Set(['rejected', 'changes'])) };
    case 'today':
      return { ...base, tasks: tasksIn(DOABLE) };
    case 'pending':
      return { ...base, tasks: tasksIn(new Set(['received'])), pendingPoints };
    case 'level': {
      const { level } = levelOf(points);
      const named = Math.min(LEVEL_MAX, Number(/\blevel\s+(\d{1,4})\b/.exec(text)?.[1] ?? level + 1));
      return { ...base, points, level, wanted: named, missing: Math.max(0, pointsOfLevel(named) - points) };
    }
    case 'rank':
      return { ...base, rank, ranked, points };
    case 'points':
      return { ...base, points, pendingPoints, pencilPoints: today.pencilPoints };
    case 'streak':
      return { ...base, days: streakDays, countedToday, pencilToday: today.pencilToday, freezes };
    case 'season':
      return { ...base, season: season && { name: season.name, endsAt: season.endsAt } };
    case 'unsent':
      return base;
  }
}

const latestFirst = (tasks: readonly TaskView[], states: ReadonlySet<TaskView['state']>): string[] =>
  tasks
    .filter(({ state }) => states.has(state))
    .sort((a, b) => ((a.claim?.decidedAt ?? '') < (b.claim?.decidedAt ?? '') ? 1 : -1))
    .map(({ task }) => task.id);
