/**
 * What a leader types of a task of any kind, as text, and the setup that it makes.
 * A long file, because every kind's fields stand side by side in one form.
 */

import {
  LINK_MAX,
  QUIZ_COOL_DOWN_MINUTES,
  QUIZ_OPTIONS_MAX,
  TASK_CAP_MAX,
  TASK_COOL_DOWN_MAX_MINUTES,
  TASK_POINTS_MAX,
} from '../../../../server/contract/limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import type {
  Conditions,
  LeaderTask,
  NewTask,
  Recurrence,
  Task,
  TaskAsk,
  TaskKind,
  TaskSetup,
  TaskWithClaim,
} from '../../../../server/contract/tasks.ts';
import { X_KINDS } from '../../../../server/contract/x-post.ts';
import { fromLocal, toLocal } from '../../../lib/dates.ts';
import { wholeIn } from '../../../ui/typed-number.ts';
import { askOfMore, emptyMore, isMore, type MoreProblem, moreProblems, tidyMore } from './more-kinds.ts';
import { emptyX, isX, tidyX, type XProblem, xProblems } from './x-draft.ts';

/** A task as its editor holds it: numbers and dates as they are typed. */
export type TaskDraft = {
  setup: TaskSetup;
  title: string;
  instructions: string;
  /** Null: what the kind is commonly worth. */
  points: string | null;
  recurrence: Recurrence;
  opensAt: string;
  closesAt: string;
  windowed: boolean;
  days: readonly number[];
  from: string;
  until: string;
  total: string;
  member: string;
  /** Null: what is usual for the kind. */
  coolDown: string | null;
  conditions: Conditions | null;
};

export const KINDS = [
  'check_in',
  'visit_link',
  'quiz',
  'submit_text',
  'submit_url',
  'submit_image',
  'poll',
  'invite',
  'telegram_event',
  'telegram_join',
  'telegram_chat',
  'telegram_reaction',
  'manual',
  'number',
  'date',
  'scale',
  'file',
  'partner',
  ...X_KINDS,
] as const satisfies readonly TaskKind[];

/** What an act of each kind is commonly worth; a leader changes it freely. */
const USUAL_POINTS: Record<TaskKind, string> = {
  check_in: '10',
  visit_link: '5',
  quiz: '40',
  submit_text: '30',
  submit_url: '30',
  submit_image: '40',
  poll: '10',
  invite: '100',
  telegram_event: '100',
  telegram_join: '20',
  telegram_chat: '10',
  telegram_reaction: '5',
  manual: '50',
  number: '20',
  date: '10',
  scale: '10',
  file: '40',
  partner: '50',
  // X forbids rewards for what is done there.
  x_follow: '0',
  x_like: '0',
  x_repost: '0',
  x_reply: '0',
  x_quote: '0',
  x_post: '0',
};
/** Minutes to wait after a failed try, as typed or as usual (decision 046). */
export const coolDownOf = ({ coolDown, setup }: TaskDraft): string =>
  coolDown ?? String(setup.kind === 'quiz' ? QUIZ_COOL_DOWN_MINUTES : 0);

export const pointsOf = ({ points, setup }: TaskDraft): string => points ?? USUAL_POINTS[setup.kind];

/** An id for a question or an option, never given twice in a setup. */
export const newId = (): string => crypto.randomUUID().slice(0, 8);
export const newQuestion = () => {
  const right = newId();
  return {
    id: newId(),
    text: '',
    options: [
      { id: right, text: '' },
      { id: newId(), text: '' },
    ],
    correct: [right],
  };
};

const HOUR_MS = 60 * 60_000;
/** The next full hour, as an event commonly begins. */
const nextHour = (now: number): number => Math.ceil(now / HOUR_MS) * HOUR_MS;

export function emptySetup(kind: TaskKind, now: number): TaskSetup {
  switch (kind) {
    case 'visit_link':
      return { kind, url: '' };
    case 'quiz':
      return { kind, passPercent: 70, questions: [newQuestion()] };
    case 'submit_url':
      return { kind, hosts: [] };
    case 'poll':
      return {
        kind,
        choices: [
          { id: newId(), text: '' },
          { id: newId(), text: '' },
        ],
        multiple: false,
      };
    case 'invite':
      return { kind, needed: 1 };
    case 'x_follow':
    case 'x_like':
    case 'x_repost':
    case 'x_reply':
    case 'x_quote':
    case 'x_post':
      return emptyX(kind);
    case 'telegram_event': {
      const start = nextHour(now);
      const startsAt = new Date(start).toISOString();
      return { kind, place: '', startsAt, endsAt: new Date(start + 2 * HOUR_MS).toISOString() };
    }
    case 'telegram_join':
      return { kind, chat: 'group' };
    case 'telegram_chat':
      return { kind, needed: 1, minLength: 10 };
    case 'telegram_reaction':
      return { kind, link: '' };
    case 'number':
    case 'date':
    case 'scale':
    case 'file':
    case 'partner':
      return emptyMore(kind);
    default:
      return { kind };
  }
}

export const emptyDraft = (now: number): TaskDraft => ({
  setup: emptySetup('check_in', now),
  title: '',
  instructions: '',
  points: null,
  recurrence: 'daily',
  opensAt: '',
  closesAt: '',
  windowed: false,
  days: [1, 2, 3, 4, 5, 6, 7],
  from: '08:00',
  until: '20:00',
  total: '',
  member: '',
  coolDown: null,
  conditions: null,
});

/** The draft of a task that is there. Its setup is the leaders' own to see. */
export function draftOf(task: LeaderTask, setup: TaskSetup): TaskDraft {
  const { window, opensAt, closesAt } = task.schedule;
  return {
    ...emptyDraft(0),
    setup,
    title: task.title,
    instructions: task.instructions,
    points: String(task.points),
    recurrence: task.recurrence,
    opensAt: toLocal(opensAt),
    closesAt: toLocal(closesAt),
    ...(window && { windowed: true, days: window.days, from: window.from, until: window.until }),
    total: task.caps.total === null ? '' : String(task.caps.total),
    member: task.caps.member === null ? '' : String(task.caps.member),
    coolDown: String(task.caps.coolDownMinutes),
    conditions: task.conditions,
  };
}

export type Problem =
  | MoreProblem
  | 'title'
  | 'points'
  | 'link'
  | 'message'
  | 'question'
  | 'options'
  | 'choices'
  | 'place'
  | XProblem
  | 'event_times'
  | 'event_over'
  | 'dates'
  | 'over'
  | 'days'
  | 'hours'
  | 'total'
  | 'member'
  | 'cool_down';

/** What Telegram copies as the link of a message. */
const MESSAGE_LINK = /^https:\/\/t\.me\/(c\/\d+|[a-z]\w{3,31})\/(\d+\/)?\d+(\?.*)?$/i;

const isLink = (text: string): boolean => {
  if (text.length > LINK_MAX || !URL.canParse(text)) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
};

function setupProblems(setup: TaskSetup): Problem[] {
  switch (setup.kind) {
    case 'visit_link':
      return isLink(setup.url.trim()) ? [] : ['link'];
    case 'telegram_reaction':
      return MESSAGE_LINK.test(setup.link.trim()) ? [] : ['message'];
    case 'quiz': {
      const short = setup.questions.some(({ text }) => seenLength(text) < 3);
      const wrong = setup.questions.some(
        ({ options, correct }) =>
          options.length < 2 ||
          options.length > QUIZ_OPTIONS_MAX ||
          options.some(({ text }) => text.trim() === '') ||
          correct.length === 0,
      );
      return [...(short ? (['question'] as const) : []), ...(wrong ? (['options'] as const) : [])];
    }
    case 'poll':
      return setup.choices.length < 2 || setup.choices.some(({ text }) => text.trim() === '') ? ['choices'] : [];
    case 'telegram_event':
      return [
        ...(setup.place.trim() === '' ? (['place'] as const) : []),
        ...(setup.endsAt > setup.startsAt ? [] : (['event_times'] as const)),
      ];
    default:
      if (isMore(setup)) return moreProblems(setup);
      return isX(setup) ? xProblems(setup) : [];
  }
}

/**
 * What is not right yet; nothing: it can be sent. The server has the last word.
 * @param now for a task that nobody has seen yet, which has to be open at some time to come
 */
export function problemsOf(draft: TaskDraft, now: number | null = null): Problem[] {
  const found = setupProblems(draft.setup);
  if (seenLength(draft.title) < 3) found.push('title');
  if (wholeIn(pointsOf(draft), 0, TASK_POINTS_MAX) === null) found.push('points');
  const [opens, closes] = [fromLocal(draft.opensAt), fromLocal(draft.closesAt)];
  if (opens !== null && closes !== null && closes <= opens) found.push('dates');
  if (now !== null && closes !== null && Date.parse(closes) <= now) found.push('over');
  if (now !== null && draft.setup.kind === 'telegram_event' && Date.parse(draft.setup.endsAt) <= now)
    found.push('event_over');
  if (draft.windowed && draft.days.length === 0) found.push('days');
  if (draft.windowed && (draft.from === '' || draft.until === '')) found.push('hours');
  if (draft.total.trim() !== '' && wholeIn(draft.total, 1, TASK_CAP_MAX) === null) found.push('total');
  if (draft.member.trim() !== '' && wholeIn(draft.member, 1, TASK_CAP_MAX) === null) found.push('member');
  if (wholeIn(coolDownOf(draft), 0, TASK_COOL_DOWN_MAX_MINUTES) === null) found.push('cool_down');
  return found;
}

/** The setup without the blanks that people leave. */
function tidy(setup: TaskSetup): TaskSetup {
  switch (setup.kind) {
    case 'visit_link':
      return { ...setup, url: setup.url.trim() };
    case 'telegram_reaction':
      return { ...setup, link: setup.link.trim() };
    case 'submit_url':
      return { ...setup, hosts: setup.hosts.map((host) => host.trim().toLowerCase()).filter(Boolean) };
    case 'quiz':
      return {
        ...setup,
        questions: setup.questions.map(({ explanation, ...question }) => ({
          ...question,
          ...(explanation?.trim() && { explanation: explanation.trim() }),
        })),
      };
    default:
      if (isMore(setup)) return tidyMore(setup);
      return isX(setup) ? tidyX(setup) : setup;
  }
}

/** What the server is sent. Call it where `problemsOf` finds nothing. */
export function bodyOf(draft: TaskDraft): NewTask & Pick<Task, 'schedule' | 'caps'> {
  return {
    setup: tidy(draft.setup),
    title: draft.title.trim(),
    instructions: draft.instructions.trim(),
    points: wholeIn(pointsOf(draft), 0, TASK_POINTS_MAX) ?? 0,
    recurrence: draft.recurrence,
    schedule: {
      opensAt: fromLocal(draft.opensAt),
      closesAt: fromLocal(draft.closesAt),
      window: draft.windowed ? { days: [...draft.days].sort(), from: draft.from, until: draft.until } : null,
    },
    caps: {
      total: wholeIn(draft.total, 1, TASK_CAP_MAX),
      member: wholeIn(draft.member, 1, TASK_CAP_MAX),
      coolDownMinutes: wholeIn(coolDownOf(draft), 0, TASK_COOL_DOWN_MAX_MINUTES) ?? 0,
    },
    conditions: draft.conditions,
  };
}

/** What a member is asked, from what a leader sets: the answers of a quiz stay behind. */
function askOf(setup: TaskSetup): TaskAsk {
  switch (setup.kind) {
    case 'quiz':
      return {
        kind: setup.kind,
        passPercent: setup.passPercent,
        ...(setup.pack && { pack: { title: setup.pack.title ?? '', count: setup.pack.count } }),
        questions: setup.questions.map(({ id, text, options, correct }) => ({
          id,
          text,
          options,
          multiple: correct.length > 1,
        })),
      };
    case 'submit_text':
      return { kind: setup.kind, minLength: setup.minLength ?? 1 };
    case 'telegram_event':
      return { ...setup, publicKey: '' };
    default:
      return setup.kind === 'partner' ? askOfMore(setup) : setup;
  }
}

/** The draft as a member would find it, open. `title` stands where none is written yet. */
export function previewOf(draft: TaskDraft, title: string): TaskWithClaim {
  const body = bodyOf(draft);
  return {
    id: 'preview',
    kind: body.setup.kind,
    title: body.title || title,
    instructions: body.instructions,
    points: body.points,
    recurrence: body.recurrence,
    status: 'live',
    schedule: body.schedule,
    caps: body.caps,
    conditions: body.conditions ?? null,
    ask: askOf(body.setup),
    gate: { open: true, reason: null, opensAt: null, path: [] },
    claim: null,
  };
}
