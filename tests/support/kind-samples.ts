/** A task of each kind, and what is sent for it. No kind is tried or drawn without its line here. */
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskKind, TaskSetup } from '../../server/contract/tasks.ts';

/** Stands in every setup where something is that members must not learn. */
export const SECRET = 'planted-7c1f';
const SECRET_NUMBER = 7_193.25;
export const GROUP = '-1001234567890';

const ID = '00000000-0000-4000-8000-000000000001';
const choices = ['north', 'south'].map((id) => ({ id, text: `To the ${id}` }));
const POST = { post: 'https://x.com/ridge_walk/status/1234567890', about: 'The winter walk' };
const afterNoon = (minutes: number) => Date.UTC(2026, 10, 21, 12, minutes);
const at = (minutes: number) => new Date(afterNoon(minutes)).toISOString();
/** A post of that minute after noon: its time is in its number. */
const mine = (minutes: number) =>
  `https://x.com/walker/status/${(BigInt(afterNoon(minutes)) - 1_288_834_974_657n) << 22n}`;

type Sample<K extends TaskKind> = {
  setup: Extract<TaskSetup, { kind: K }>;
  /** What is sent for it and counts, or waits; none: what stands beside it counts. `prepare` stores what an id names. */
  evidence?: Extract<Evidence, { kind: K }>;
  /** Another answer, that must be told from it. */
  other?: Extract<Evidence, { kind: K }>;
  /** The same, which does not count. */
  wrong?: Extract<Evidence, { kind: K }>;
  /** What the export of claims says of it; nothing else leaves the instance. */
  answer?: string;
  /** What is read of it on a receipt and in the review, where that is not `answer`. */
  shown?: RegExp;
};

/** A task of each kind and what a member sends for it. What has an id of its own is made by `prepare`. */
export const EVERY_KIND: { [K in TaskKind]: Sample<K> } = {
  check_in: { setup: { kind: 'check_in' } },
  visit_link: {
    setup: { kind: 'visit_link', url: 'https://example.org/guide' },
    evidence: { kind: 'visit_link', openedAt: at(0) },
  },
  quiz: {
    setup: {
      kind: 'quiz',
      passPercent: 100,
      questions: [
        { id: 'q', text: 'Where is the hut?', options: choices, correct: ['north'], explanation: `North: ${SECRET}` },
      ],
    },
    evidence: { kind: 'quiz', startedAt: at(-1), answers: [{ questionId: 'q', optionIds: ['north'] }] },
    wrong: { kind: 'quiz', startedAt: at(-1), answers: [{ questionId: 'q', optionIds: ['south'] }] },
  },
  submit_text: {
    setup: { kind: 'submit_text', minLength: 3 },
    evidence: { kind: 'submit_text', text: 'We met at ten' },
    other: { kind: 'submit_text', text: 'We met at noon' },
    answer: 'We met at ten',
  },
  submit_url: {
    setup: { kind: 'submit_url', hosts: ['example.org'] },
    evidence: { kind: 'submit_url', url: 'https://example.org/walk', note: 'A note' },
    other: { kind: 'submit_url', url: 'https://example.org/another' },
    answer: 'https://example.org/walk',
  },
  submit_image: {
    setup: { kind: 'submit_image' },
    evidence: { kind: 'submit_image', imageId: ID },
    other: { kind: 'submit_image', imageId: ID, note: 'By the ford' },
  },
  poll: {
    setup: { kind: 'poll', choices, multiple: true },
    evidence: { kind: 'poll', optionIds: ['south'] },
    other: { kind: 'poll', optionIds: ['north'] },
    answer: 'To the south',
  },
  invite: { setup: { kind: 'invite', needed: 1 } },
  manual: { setup: { kind: 'manual' } },
  telegram_event: {
    setup: { kind: 'telegram_event', place: 'The ford', startsAt: at(-60), endsAt: at(600) },
    evidence: { kind: 'telegram_event', code: 'ABCD-EFGH' },
  },
  telegram_join: { setup: { kind: 'telegram_join', chat: 'group' }, evidence: { kind: 'telegram_join' } },
  telegram_chat: { setup: { kind: 'telegram_chat', needed: 2, minLength: 10 }, evidence: { kind: 'telegram_chat' } },
  telegram_reaction: {
    setup: { kind: 'telegram_reaction', link: `https://t.me/c/${GROUP.slice(4)}/42` },
    evidence: { kind: 'telegram_reaction' },
  },
  number: {
    setup: {
      kind: 'number',
      unit: 'km',
      min: null,
      max: null,
      decimals: 2,
      review: false,
      expected: { value: SECRET_NUMBER, tolerance: 0.5 },
    },
    evidence: { kind: 'number', value: 7_193.5 },
    wrong: { kind: 'number', value: 1 },
    other: { kind: 'number', value: 7_193 },
    answer: '7193.5',
    shown: /7,193\.5 km/,
  },
  date: {
    setup: { kind: 'date', earliest: '2026-11-01', latest: null, review: true },
    evidence: { kind: 'date', date: '2026-11-20' },
    other: { kind: 'date', date: '2026-11-21' },
    answer: '2026-11-20',
    shown: /20 Nov|Nov 20/,
  },
  scale: {
    setup: { kind: 'scale', low: 'Never', high: 'Always' },
    evidence: { kind: 'scale', value: 8 },
    other: { kind: 'scale', value: 9 },
    answer: '8',
    shown: /8 of 10/,
  },
  file: {
    setup: { kind: 'file' },
    evidence: { kind: 'file', fileId: ID, name: 'Track.txt' },
    other: { kind: 'file', fileId: ID, name: 'Track.txt', note: 'By the ford' },
    answer: 'Track.txt',
  },
  partner: {
    setup: { kind: 'partner', url: `https://hooks.example.org/${SECRET}`, asks: 'Order number' },
    evidence: { kind: 'partner', answer: '4711' },
    other: { kind: 'partner', answer: '4712' },
    answer: '4711',
    shown: /Order number: 4711/,
  },
  x_follow: { setup: { kind: 'x_follow', handle: 'ridge_walk' }, evidence: { kind: 'x_follow', doneAt: at(0) } },
  x_like: { setup: { kind: 'x_like', ...POST }, evidence: { kind: 'x_like', doneAt: at(0) } },
  x_repost: { setup: { kind: 'x_repost', ...POST }, evidence: { kind: 'x_repost', doneAt: at(0) } },
  x_reply: {
    setup: { kind: 'x_reply', ...POST },
    evidence: { kind: 'x_reply', url: mine(1) },
    other: { kind: 'x_reply', url: mine(9) },
    answer: mine(1),
  },
  x_quote: {
    setup: { kind: 'x_quote', ...POST },
    evidence: { kind: 'x_quote', url: mine(2) },
    other: { kind: 'x_quote', url: mine(9) },
    answer: mine(2),
  },
  x_post: {
    setup: { kind: 'x_post', text: 'We walk', hashtag: 'RidgeWalk', about: '' },
    evidence: { kind: 'x_post', url: mine(3) },
    other: { kind: 'x_post', url: mine(9) },
    answer: mine(3),
  },
};
