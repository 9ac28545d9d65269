import type { Evidence, NewClaim } from '../../../server/contract/claims.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { UNDO_MS } from '../../../server/contract/limits.ts';
import type { Task, TaskWithClaim } from '../../../server/contract/tasks.ts';
import { actedAt } from '../../lib/clock.ts';
import { discardEntry, enqueue, holdsCommands } from '../../lib/device.ts';
import {
  appealSubject,
  claimSubject,
  imageSubject,
  inviteSubject,
  joinSubject,
  laneOf,
  laneWithin,
  VISIBILITY,
  ZONE,
} from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { toast } from '../../ui/toast.tsx';
import { bytesOf } from '../tasks/evidence.ts';
import { offerUndo } from './holds.ts';

type MemberCommand = {
  /** Null outside a community. */
  communityId: string | null;
  /** Narrows the lane: the command waits only for those on this thing, or, when absent, for all in the community. */
  within?: string;
  /** Default `POST`. */
  method?: 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  body: unknown;
  label: string;
  subject: string;
};

const OWN_LANE = 'own';

function laneFor(communityId: string | null, within: string | undefined): string {
  if (communityId === null) return OWN_LANE;
  return within === undefined ? laneOf(communityId) : laneWithin(communityId, within);
}
/**
 * A member's commands for one task keep their order: a picture goes before its claim. A task that opens after other
 * tasks waits for every earlier command in the community.
 */
const laneOfTask = ({ id, conditions }: Pick<Task, 'id'> & Partial<Pick<Task, 'conditions'>>): { within?: string } =>
  conditions ? {} : { within: `task:${id}` };

/** Stores a command on the device, or shows why that failed. Answers its id, or null. */
async function hold({ communityId, within, ...command }: MemberCommand & { holdMs?: number }): Promise<string | null> {
  try {
    return await enqueue({ lane: laneFor(communityId, within), method: 'POST', ...command });
  } catch (error) {
    const line = error instanceof Error ? error.message : '';
    toast({ mark: 'refused', title: m.member_toast_not_kept(), ...(line && { line }), urgent: true });
    return null;
  }
}

/**
 * Stores a command on the device and sends it at once or when there is a connection. Tells the member when the device
 * is offline, or why storing failed. Answers its id, or null.
 * @param before a command that this one depends on: undone with it
 */
export async function enqueueCommand(
  command: MemberCommand,
  undo: boolean,
  before: string | null = null,
): Promise<string | null> {
  const id = await hold(command);
  const discard = () => {
    if (id !== null) void discardEntry(id);
    if (before !== null) void discardEntry(before);
  };
  if (id === null) discard();
  else if (!navigator.onLine)
    toast({
      mark: 'pencil',
      title: m.member_toast_saved(),
      line: m.member_toast_saved_line({ what: command.label }),
      ...(undo && { action: { label: m.member_undo(), onPress: discard } }),
    });
  return id;
}

/**
 * Stores the commands of one press and holds them for a while, so they can be undone together or one by one. Answers
 * their ids, or null when the device could not store them all.
 * @param before a picture or file that the command depends on: undone with it
 */
export async function press(
  commands: readonly MemberCommand[],
  what: string,
  before: string | null = null,
): Promise<readonly string[] | null> {
  if (!holdsCommands()) return pressUnheld(commands, before);
  const ids: string[] = [];
  for (const command of commands) {
    const id = await hold({ ...command, holdMs: UNDO_MS });
    if (id === null) break;
    ids.push(id);
  }
  // Commands in memory only are sent already.
  if (holdsCommands()) offerUndo(ids, what, before === null ? [] : [before]);
  if (ids.length === commands.length) return ids;
  if (before !== null) void discardEntry(before);
  return null;
}
async function pressUnheld(
  commands: readonly MemberCommand[],
  before: string | null,
): Promise<readonly string[] | null> {
  const ids: string[] = [];
  for (const command of commands) {
    const id = await enqueueCommand(command, true, before);
    if (id === null) return null;
    ids.push(id);
  }
  return ids;
}

const pathOf = (communityId: string) => `/api/communities/${communityId}`;

/** How an answer is sent: `atOnce` when its form waits for the server. */
type Way = { atOnce?: boolean; before?: string | null };

async function send(command: MemberCommand, { atOnce = false, before = null }: Way): Promise<string | null> {
  if (atOnce) return enqueueCommand(command, true, before);
  return (await press([command], command.label, before))?.[0] ?? null;
}

/** Claims a task: one command, sent once however often it is tried. */
export function claim(
  communityId: string,
  task: Pick<Task, 'id' | 'title' | 'conditions'>,
  evidence?: Evidence,
  way: Way = {},
): Promise<string | null> {
  const at = actedAt();
  const body: NewClaim = { ...(at && { actedAt: at }), ...(evidence && { evidence }) };
  const path = `${pathOf(communityId)}/tasks/${task.id}/claims`;
  const subject = claimSubject(communityId, task.id);
  return send({ communityId, ...laneOfTask(task), path, body, label: task.title, subject }, way);
}

/** Answers a task: the first time, again, or after requested changes. A picture or file goes first. */
export async function answer(
  communityId: string,
  task: TaskWithClaim,
  evidence: Evidence,
  picture: Blob | null = null,
  atOnce = false,
): Promise<string | null> {
  let before: string | null = null;
  const id = bytesOf(evidence);
  if (picture !== null && id !== null) {
    const isFile = 'fileId' in evidence;
    const path = `${pathOf(communityId)}/${isFile ? 'files' : 'images'}/${id}`;
    const label = (isFile ? m.kinds_file_label : m.member_picture_label)({ task: task.title });
    const subject = imageSubject(id);
    const bytes: MemberCommand = {
      communityId,
      ...laneOfTask(task),
      method: 'PUT',
      path,
      body: picture,
      label,
      subject,
    };
    before = await hold({ ...bytes, ...(!atOnce && holdsCommands() && { holdMs: UNDO_MS }) });
    if (before === null) return null;
  }
  if (task.claim?.state !== 'changes_requested') return claim(communityId, task, evidence, { atOnce, before });
  const path = `${pathOf(communityId)}/claims/${task.claim.id}/resubmission`;
  const subject = claimSubject(communityId, task.id);
  const at = actedAt();
  const body = { evidence, ...(at && { actedAt: at }) };
  return send({ communityId, ...laneOfTask(task), path, body, label: task.title, subject }, { atOnce, before });
}

/** Appeals against a rejection, once. */
export function appeal(
  communityId: string,
  claimId: string,
  task: Pick<Task, 'id' | 'title'>,
  text: string,
): Promise<string | null> {
  const path = `${pathOf(communityId)}/claims/${claimId}/appeal`;
  const label = m.member_appeal_label({ task: task.title });
  return enqueueCommand(
    { communityId, ...laneOfTask(task), path, body: { text }, label, subject: appealSubject(claimId) },
    true,
  );
}

export function join(community: Pick<CommunitySummary, 'id' | 'name'>): Promise<string | null> {
  const path = `${pathOf(community.id)}/join`;
  const label = m.member_join_label({ community: community.name });
  return enqueueCommand(
    { communityId: community.id, path, body: undefined, label, subject: joinSubject(community.id) },
    true,
  );
}

/** Joins with an invite code, even before its community is known. */
export function acceptInvite(code: string): Promise<string | null> {
  const label = m.member_invite_label({ code });
  const command = {
    communityId: null,
    path: '/api/invites/accept',
    body: { code },
    label,
    subject: inviteSubject(code),
  };
  return enqueueCommand(command, true);
}

/** `timeZone` is an IANA name. */
export function changeTimeZone(timeZone: string): Promise<string | null> {
  const label = m.member_zone_label({ zone: timeZone });
  const command = { communityId: null, method: 'PATCH', path: '/api/user/profile', label, subject: ZONE } as const;
  return enqueueCommand({ ...command, body: { timeZone } }, true);
}

/** Whether others see the member on leaderboards and lists. */
export function changeVisibility(hidden: boolean): Promise<string | null> {
  const label = hidden ? m.settings_privacy_label_hide() : m.settings_privacy_label_show();
  const command = {
    communityId: null,
    method: 'PUT',
    path: '/api/user/visibility',
    label,
    subject: VISIBILITY,
  } as const;
  return enqueueCommand({ ...command, body: { hidden } }, true);
}
