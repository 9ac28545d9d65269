import type { TransactionSql } from 'postgres';
import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { BOT_UNDO_MS } from '../../contract/limits.ts';
import type { TaskWithClaim } from '../../contract/tasks.ts';
import { rewriteMessage } from '../bot-messages/queue.ts';
import { claimTask } from '../claims/claim.ts';
import { readTasks } from '../claims/task-with-claim.ts';
import type { Reply } from './answers.ts';
import { type BotCommunity, findCommunity, type Person, personOf } from './person.ts';
import { shownFrom } from './shown.ts';
import { words } from './words.ts';

/** Buttons of one message. */
const CHECK_INS_SHOWN = 8;

/** A button's data, within the Bot API's 64 bytes. Telegram says who pressed it, never the button. */
export const pressData = (act: 'check-in' | 'undo', taskId: string): string => `${act}:${taskId}`;
const PRESS = /^(check-in|undo):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
export function pressOf(data: string | undefined): { act: 'check-in' | 'undo'; taskId: string } | null {
  const [, act, taskId] = PRESS.exec(data ?? '') ?? [];
  return taskId === undefined ? null : { act: act === 'undo' ? 'undo' : 'check-in', taskId };
}

const isOpen = ({ claim, gate }: TaskWithClaim): boolean => claim === null && gate.open;

/** Only today's plain check-in: for weekly, one-off or timed ones the intent is unclear. */
const isPlainDaily = ({ recurrence, schedule, conditions }: TaskWithClaim): boolean =>
  recurrence === 'daily' &&
  conditions === null &&
  schedule.opensAt === null &&
  schedule.closesAt === null &&
  schedule.window === null;

async function checkInsOf(tx: TransactionSql, person: Person, community: BotCommunity): Promise<TaskWithClaim[]> {
  const { timeZone, now } = person;
  const tasks = await readTasks(tx, { communityId: community.id, userId: person.id, timeZone, now });
  return tasks.filter(({ kind }) => kind === 'check_in');
}

const pathTo = ({ id }: BotCommunity) => `/community/${id}/dashboard`;

/**
 * `/checkin`: if one plain daily check-in is open, it is done. Otherwise each has a button with its name in private, or
 * is chosen in the app.
 */
export async function checkInReply(
  tx: TransactionSql,
  person: Person,
  community: BotCommunity,
  { origin, isPrivate }: { origin: string; isPrivate: boolean },
): Promise<Reply> {
  if (community.role === 'leader') return { text: words.leads(community.name) };
  const all = await checkInsOf(tx, person, community);
  const open = all.filter(isOpen);
  const button = { label: words.open, path: pathTo(community) };
  if (all.length === 0) return { text: words.noCheckIn(community.name) };
  if (open.length === 0)
    return { text: all.map(({ title, claim }) => (claim ? words.alreadyIn : words.notNow)(title)).join('\n'), button };
  const [only] = open;
  if (only && open.length === 1 && isPlainDaily(only)) return hold(tx, person, community, only, origin);
  if (!isPrivate) return { text: words.chooseInApp(community.name), button };
  const keys = open.slice(0, CHECK_INS_SHOWN).map(({ id, title, points }) => ({
    label: words.checkInKey(title, points),
    data: pressData('check-in', id),
  }));
  return { text: words.whichCheckIn(community.name), keys, button };
}

/** Keeps a press until it can no longer be undone. */
async function hold(
  tx: TransactionSql,
  { id: userId, now }: Person,
  { id: communityId }: BotCommunity,
  { id: taskId, title, points }: Pick<TaskWithClaim, 'id' | 'title' | 'points'>,
  origin: string,
): Promise<Reply> {
  const { count } = await tx`
    insert into bot_check_ins (user_id, community_id, task_id, origin, pressed_at, due_at)
    values (${userId}, ${communityId}, ${taskId}, ${origin}, ${now}, ${new Date(now.getTime() + BOT_UNDO_MS)}) on conflict do nothing`;
  if (count === 0) return { text: words.onItsWay(title) };
  return { text: words.checkingIn(title, points), keys: [{ label: words.undo, data: pressData('undo', taskId) }] };
}

/** Handles a press of a check-in's button. Text alone is shown for a moment; a `reply` becomes a message. */
export async function pressCheckIn(
  tx: TransactionSql,
  person: Person,
  taskId: string,
  origin: string,
): Promise<{ toast: string; reply?: Reply }> {
  const [task] = await tx<{ communityId: string }[]>`
    select community_id as "communityId" from tasks where id = ${taskId} and kind = 'check_in' and status = 'live'`;
  const community = task ? await findCommunity(tx, person.id, task.communityId) : null;
  if (!community) return { toast: words.taskGone };
  if (!community.role) return { toast: words.notMember(community.name) };
  const found = (await checkInsOf(tx, person, community)).find(({ id }) => id === taskId);
  if (!found) return { toast: words.taskGone };
  if (!isOpen(found)) return { toast: (found.claim ? words.alreadyIn : words.notNow)(found.title) };
  const reply = await hold(tx, person, community, found, origin);
  return reply.keys ? { toast: '', reply } : { toast: reply.text };
}

/** Undoes a press that is not claimed yet; returns the text to show for a moment. */
export async function undoCheckIn(tx: TransactionSql, person: Person, taskId: string): Promise<string> {
  const [undone] = await tx<{ origin: string; title: string }[]>`
    delete from bot_check_ins h using tasks t where h.user_id = ${person.id} and h.task_id = ${taskId} and t.id = h.task_id
    returning h.origin, t.title`;
  if (!undone) return words.undoLate;
  await rewriteMessage(tx, undone.origin, { text: words.undone(undone.title) }, person.now);
  return words.undone(undone.title);
}

type Due = {
  telegramUserId: string;
  taskId: string;
  communityId: string;
  title: string;
  points: number;
  origin: string;
};

/** Claims pressed check-ins that were not undone, as of the press, and edits their messages with the result. A job. */
export async function claimCheckIns(runtime: Runtime, stopping: AbortSignal): Promise<void> {
  let isDone = false;
  while (!isDone && !stopping.aborted) isDone = !(await runtime.sql.begin((tx) => claimNext(tx, runtime)));
}

async function claimNext(tx: TransactionSql, runtime: Runtime): Promise<boolean> {
  const now = runtime.now();
  // A press whose Undo is under way is passed over; nothing that is taken here can be undone.
  const [due] = await tx<(Due & { pressedAt: Date })[]>`
    with due as (
      select user_id, task_id from bot_check_ins where due_at <= ${now} order by due_at limit 1 for update skip locked
    )
    delete from bot_check_ins h using due, users u, tasks t
    where h.user_id = due.user_id and h.task_id = due.task_id and u.id = h.user_id and t.id = h.task_id
    returning u.telegram_user_id::text as "telegramUserId", h.task_id as "taskId", t.community_id as "communityId", t.title,
      t.points, h.origin, h.pressed_at as "pressedAt"`;
  if (!due) return false;
  const person = await personOf(tx, runtime, Number(due.telegramUserId));
  const community = person && (await findCommunity(tx, person.id, due.communityId));
  const reply: Reply =
    person && community
      ? {
          text: await claim(tx, person, due, due.pressedAt),
          button: { label: words.open, path: pathTo(community) },
        }
      : { text: words.taskGone };
  await rewriteMessage(tx, due.origin, shownFrom(runtime.config, reply), now);
  return true;
}

async function claim(
  tx: TransactionSql,
  { id: userId, timeZone, zoneBefore, zoneFrom, now }: Person,
  { communityId, taskId, title, points }: Due,
  pressedAt: Date,
): Promise<string> {
  const call = { communityId, taskId, userId, timeZone, zoneBefore, zoneFrom, now };
  const input = { evidence: { kind: 'check_in' }, actedAt: pressedAt.toISOString() } as const;
  try {
    const made = await tx.savepoint((inner) => claimTask(inner, call, input));
    return made.state === 'approved' ? words.checkedIn(title, points) : words.checkInWaits(title);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return error.reason === 'ALREADY_CLAIMED' ? words.alreadyIn(title) : words.checkInShut(title, error.message);
  }
}
