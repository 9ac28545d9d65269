import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import type { Evidence } from '../../server/contract/claims.ts';
import type { TaskKind, TaskSetup } from '../../server/contract/tasks.ts';
import { isXKind } from '../../server/contract/x-post.ts';
import { storeFile } from '../../server/features/images/files.ts';
import { readEventKey } from '../../server/features/tasks/event-keys.ts';
import { makeCode, readSigner } from '../../server/rules/event-code.ts';
import type { StagedCommunity } from './engagement.ts';
import { later, MINUTE, NOON } from './task-stage.ts';

/** Stands in every setup where something is that members must not learn. */
export const SECRET = 'planted-7c1f';
const SECRET_NUMBER = 7_193.25;
export const GROUP = '-1001234567890';

const choices = ['north', 'south'].map((id) => ({ id, text: `To the ${id}` }));
const POST = { post: 'https://x.com/ridge_walk/status/1234567890', about: 'The winter walk' };
const at = (minutes: number) => later(minutes * MINUTE).toISOString();
/** A post of that minute after noon: its time is in its number. */
const mine = (minutes: number) =>
  `https://x.com/walker/status/${(BigInt(later(minutes * MINUTE).getTime()) - 1_288_834_974_657n) << 22n}`;

type Sample<K extends TaskKind> = {
  setup: Extract<TaskSetup, { kind: K }>;
  /** What is sent for it and counts, or waits; none: what stands beside it counts. */
  evidence?: Extract<Evidence, { kind: K }>;
  /** The same, which does not count. */
  wrong?: Extract<Evidence, { kind: K }>;
  /** What the export of claims says of it; nothing else leaves the instance. */
  answer?: string;
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
    answer: 'We met at ten',
  },
  submit_url: {
    setup: { kind: 'submit_url', hosts: ['example.org'] },
    evidence: { kind: 'submit_url', url: 'https://example.org/walk', note: 'A note' },
    answer: 'https://example.org/walk',
  },
  submit_image: { setup: { kind: 'submit_image' } },
  poll: {
    setup: { kind: 'poll', choices, multiple: true },
    evidence: { kind: 'poll', optionIds: ['south'] },
    answer: 'To the south',
  },
  invite: { setup: { kind: 'invite', needed: 1 } },
  manual: { setup: { kind: 'manual' } },
  telegram_event: { setup: { kind: 'telegram_event', place: 'The ford', startsAt: at(-60), endsAt: at(600) } },
  telegram_join: { setup: { kind: 'telegram_join', chat: 'group' } },
  telegram_chat: { setup: { kind: 'telegram_chat', needed: 2, minLength: 10 } },
  telegram_reaction: { setup: { kind: 'telegram_reaction', link: `https://t.me/c/${GROUP.slice(4)}/42` } },
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
    answer: '7193.5',
  },
  date: {
    setup: { kind: 'date', earliest: '2026-11-01', latest: null, review: true },
    evidence: { kind: 'date', date: '2026-11-20' },
    answer: '2026-11-20',
  },
  scale: {
    setup: { kind: 'scale', low: 'Never', high: 'Always' },
    evidence: { kind: 'scale', value: 8 },
    answer: '8',
  },
  file: { setup: { kind: 'file' }, answer: 'Track.txt' },
  partner: {
    setup: { kind: 'partner', url: `https://hooks.example.org/${SECRET}`, asks: 'Order number' },
    evidence: { kind: 'partner', answer: '4711' },
    answer: '4711',
  },
  x_follow: { setup: { kind: 'x_follow', handle: 'ridge_walk' }, evidence: { kind: 'x_follow', doneAt: at(0) } },
  x_like: { setup: { kind: 'x_like', ...POST }, evidence: { kind: 'x_like', doneAt: at(0) } },
  x_repost: { setup: { kind: 'x_repost', ...POST }, evidence: { kind: 'x_repost', doneAt: at(0) } },
  x_reply: { setup: { kind: 'x_reply', ...POST }, evidence: { kind: 'x_reply', url: mine(1) }, answer: mine(1) },
  x_quote: { setup: { kind: 'x_quote', ...POST }, evidence: { kind: 'x_quote', url: mine(2) }, answer: mine(2) },
  x_post: {
    setup: { kind: 'x_post', text: 'We walk', hashtag: 'RidgeWalk', about: '' },
    evidence: { kind: 'x_post', url: mine(3) },
    answer: mine(3),
  },
};

/** Points of such a task: X forbids them for what is done there. */
export const pointsFor = (kind: TaskKind): number => (isXKind(kind) ? 0 : 5);

/** The community's group, which `telegram_*` and the import ask for. */
export const connectGroup = (sql: Sql, place: StagedCommunity) => sql`
  insert into community_chats (community_id, sort, chat_id, title, checked_at, connected_at)
  values (${place.id}, 'group', ${GROUP}, 'Ridge', ${NOON}, ${NOON})`;

/** What has to stand beside a member's claim of the kind, and what is sent for it. */
export async function prepare(
  sql: Sql,
  about: { place: StagedCommunity; kind: TaskKind; taskId: string; userId: string },
): Promise<Evidence | undefined> {
  const { place, kind, taskId, userId } = about;
  const by = { communityId: place.id, userId, now: NOON };
  const id = randomUUID();
  switch (kind) {
    case 'submit_image':
      await sql`
        insert into images (id, community_id, user_id, type, width, height, sha256, bytes)
        values (${id}, ${place.id}, ${userId}, 'image/webp', 1, 1, ${Buffer.from(id)}, 'x')`;
      return { kind, imageId: id, note: 'By the ford' };
    case 'file':
      await storeFile(sql, { ...by, fileId: id }, { type: 'text/plain', bytes: Buffer.from(`Track ${id}`) });
      return { kind, fileId: id, name: 'Track.txt' };
    case 'invite':
      await sql`
        insert into referrals (community_id, invitee_id, inviter_id, qualified_at)
        values (${place.id}, ${place.moderator}, ${userId}, ${NOON})`;
      return undefined;
    case 'telegram_event': {
      const key = await readEventKey(sql, { communityId: place.id, taskId, now: NOON });
      const { qr } = await makeCode(await readSigner(key.privateKey), taskId, NOON.getTime());
      return { kind, code: qr };
    }
    case 'telegram_join':
      await sql`
        insert into chat_members (connection_id, user_id, state, checked_at, source)
        select id, ${userId}, 'member', ${NOON}, 'update' from community_chats where community_id = ${place.id}`;
      return { kind };
    case 'telegram_chat':
    case 'telegram_reaction':
      await sql`
        insert into chat_activity (task_id, user_id, period, count, first_at, last_at)
        values (${taskId}, ${userId}, 'once', 2, ${NOON}, ${NOON})`;
      return { kind };
    default:
      return EVERY_KIND[kind].evidence;
  }
}
