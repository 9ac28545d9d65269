import type { TransactionSql } from 'postgres';
import type { BotText } from '../../integrations/telegram/telegram.ts';
import { readLeaderboard } from '../boards/leaderboard.ts';
import { readTasks } from '../claims/task-with-claim.ts';
import type { Person, Place } from './person.ts';
import { words } from './words.ts';

const TASKS_SHOWN = 8;
const TOP_SHOWN = 5;

/** A text of the bot, where its button leads, a path with its leading slash, and the buttons that tell it something. */
export type Said = { text: string; button?: { label: string; path: string }; keys?: NonNullable<BotText['keys']> };

/** What is open for a member now. */
export async function tasksSaid(tx: TransactionSql, person: Person, place: Place): Promise<Said> {
  const tasks = await readTasks(tx, {
    communityId: place.id,
    userId: person.id,
    timeZone: person.timeZone,
    now: person.now,
  });
  const open = tasks.filter(({ claim, gate }) => claim === null && gate.open);
  if (open.length === 0) return { text: words.noTasks(place.name) };
  const lines = open.slice(0, TASKS_SHOWN).map(({ title, points }) => words.taskLine(title, points));
  return {
    text: words.tasks(place.name, lines, open.length - lines.length),
    button: { label: words.openTasks, path: `/community/${place.id}/dashboard` },
  };
}

/** Where a member is. */
export async function meSaid(tx: TransactionSql, person: Person, place: Place): Promise<Said> {
  if (place.role === 'leader') return { text: words.leads(place.name) };
  const asked = { communityId: place.id, role: place.role, me: person.id, now: person.now };
  const board = await readLeaderboard(tx, { ...asked, period: 'week' });
  const [score] = await tx<{ points: number }[]>`
    select points::float8 as points from scores where community_id = ${place.id} and user_id = ${person.id}`;
  const at = { points: score?.points ?? 0, rank: board.me?.rank ?? null, pending: board.pendingPoints };
  return { text: words.me(place.name, at), button: boardButton(place) };
}

/** The first of this week, as anybody may see them. */
export async function topSaid(tx: TransactionSql, place: Place, now: Date): Promise<Said> {
  const board = await readLeaderboard(tx, { communityId: place.id, role: null, me: null, now, period: 'week' });
  if (board.state === 'hidden') return { text: words.hiddenTop(place.name) };
  if (board.top.length === 0) return { text: words.noTop(place.name), button: boardButton(place) };
  const rows = board.top
    .slice(0, TOP_SHOWN)
    .map(({ rank, displayName, points }) => words.topLine(rank, displayName, points));
  return { text: words.top(place.name, rows), button: boardButton(place) };
}

const boardButton = ({ id }: Place) => ({ label: words.openBoard, path: `/leaderboard?community=${id}` });
