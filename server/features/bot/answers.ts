import type { TransactionSql } from 'postgres';
import type { BotText } from '../../integrations/telegram/telegram.ts';
import { readLeaderboard } from '../boards/leaderboard.ts';
import { readTasks } from '../claims/task-with-claim.ts';
import type { BotCommunity, Person } from './person.ts';
import { words } from './words.ts';

const TASKS_SHOWN = 8;
const TOP_SHOWN = 5;

/** A message of the bot, with its link button (a path with leading slash) and its data buttons. */
export type Reply = { text: string; button?: { label: string; path: string }; keys?: NonNullable<BotText['keys']> };

/** What is open for a member now. */
export async function tasksReply(tx: TransactionSql, person: Person, community: BotCommunity): Promise<Reply> {
  const tasks = await readTasks(tx, {
    communityId: community.id,
    userId: person.id,
    timeZone: person.timeZone,
    now: person.now,
  });
  const open = tasks.filter(({ claim, gate }) => claim === null && gate.open);
  if (open.length === 0) return { text: words.noTasks(community.name) };
  const lines = open.slice(0, TASKS_SHOWN).map(({ title, points }) => words.taskLine(title, points));
  return {
    text: words.tasks(community.name, lines, open.length - lines.length),
    button: { label: words.openTasks, path: `/community/${community.id}/dashboard` },
  };
}

/** A member's standing. */
export async function standingReply(tx: TransactionSql, person: Person, community: BotCommunity): Promise<Reply> {
  if (community.role === 'leader') return { text: words.leads(community.name) };
  const call = { communityId: community.id, role: community.role, me: person.id, now: person.now };
  const board = await readLeaderboard(tx, { ...call, period: 'week' });
  const [score] = await tx<{ points: number }[]>`
    select points::float8 as points from scores where community_id = ${community.id} and user_id = ${person.id}`;
  const at = { points: score?.points ?? 0, rank: board.me?.rank ?? null, pending: board.pendingPoints };
  return { text: words.me(community.name, at), button: boardButton(community) };
}

/** This week's first rows, as anyone may see them. */
export async function topReply(tx: TransactionSql, community: BotCommunity, now: Date): Promise<Reply> {
  const board = await readLeaderboard(tx, { communityId: community.id, role: null, me: null, now, period: 'week' });
  if (board.state === 'hidden') return { text: words.hiddenTop(community.name) };
  if (board.top.length === 0) return { text: words.noTop(community.name), button: boardButton(community) };
  const rows = board.top
    .slice(0, TOP_SHOWN)
    .map(({ rank, displayName, points }) => words.topLine(rank, displayName, points));
  return { text: words.top(community.name, rows), button: boardButton(community) };
}

const boardButton = ({ id }: BotCommunity) => ({ label: words.openBoard, path: `/leaderboard?community=${id}` });
