import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Claim } from '../../../server/contract/claims.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { QuizAttempt } from '../../../server/contract/quiz.ts';
import { type Delivery, type OutboxEntry, onDeliveries, onDeviceEvent } from '../../lib/device.ts';
import { number, signed } from '../../lib/format.ts';
import { updateReads } from '../../lib/query-keys.ts';
import { refetchChangedSoon } from '../../lib/refetch.ts';
import { communityOf, readSubject, type Subject } from '../../lib/subjects.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { m } from '../../paraglide/messages.js';
import { isToastOpen, type ToastWords, toast } from '../../ui/toast.tsx';
import { withClaims } from '../tasks/task-view.ts';
import { addAcknowledged, followAcknowledged } from './acknowledged.ts';
import { undoLast } from './holds.ts';
import { withoutDecided } from './overlay.ts';

/**
 * Handles the result of every command in one place in the member's frame, so screens need not. It writes answers into
 * the cache, maintains the overlay, notifies the member, and refetches what changed, also after a refusal. `userId`:
 * the member as far as this page knows.
 */
export function CommandResults({ userId }: { userId: string | null }): null {
  const client = useQueryClient();
  useKeys({ z: undoLast });
  // First, because deliveries from now on belong to this member.
  useEffect(() => followAcknowledged(client, userId), [client, userId]);
  useEffect(() => onDeliveries((deliveries) => take(client, deliveries)), [client]);
  // A refusal means that the screen showed something outdated.
  useEffect(
    () =>
      onDeviceEvent((event) => {
        if (event.type !== 'REFUSED' || event.entry.userId !== userId) return;
        if (communityOf(event.entry.lane) !== null) refetchChangedSoon(client);
      }),
    [client, userId],
  );
  return null;
}

type Command = { entry: OutboxEntry; subject: Subject; answer: unknown };

function take(client: QueryClient, deliveries: readonly Delivery[]): void {
  const commands = deliveries.flatMap(({ entry, answer }): Command[] => {
    const subject = readSubject(entry.subject);
    return subject === null ? [] : [{ entry, subject, answer }];
  });
  if (commands.length === 0) return;
  addAcknowledged(deliveries.flatMap(({ acknowledged }) => acknowledged ?? []));
  putClaims(client, claimsIn(commands.filter(isMine)));
  // Commands of reviewers and leaders are also answered with claims, but other members' claims.
  putDecisions(client, claimsIn(commands.filter((command) => !isMine(command))));
  for (const { subject, answer } of commands) {
    if (subject.kind === 'quiz' && isAttempt(answer)) putAttempt(client, answer);
    if ((subject.kind === 'join' || subject.kind === 'invite') && isSummary(answer)) putRole(client, answer);
  }
  notify(commands);
  refetchChangedSoon(
    client,
    commands.every(({ subject }) => subject.kind === 'decision'),
  );
}

const isMine = ({ subject: { kind } }: Command) => kind === 'claim' || kind === 'appeal';
const isClaim = (answer: unknown): answer is Claim =>
  typeof answer === 'object' && answer !== null && 'taskId' in answer && 'state' in answer;
const claimsIn = (commands: readonly Command[]): Claim[] => commands.map(({ answer }) => answer).filter(isClaim);
const isSummary = (answer: unknown): answer is CommunitySummary =>
  typeof answer === 'object' && answer !== null && 'slug' in answer && 'role' in answer;

const isAttempt = (answer: unknown): answer is QuizAttempt =>
  typeof answer === 'object' && answer !== null && 'drawnAt' in answer && 'result' in answer;

/** An attempt's result appears at once. */
const putAttempt = (client: QueryClient, attempt: QuizAttempt): void =>
  updateReads(client, 'GET /api/quiz', {}, (quiz) => ({
    ...quiz,
    attempts: quiz.attempts.map((one) => (one.id === attempt.id ? attempt : one)),
  }));

/** Writes the server's answers into the cache before any refetch, so no card falls back to open. */
function putClaims(client: QueryClient, claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  updateReads(client, 'GET /api/communities/:communityId/dashboard', {}, (dashboard) => withClaims(dashboard, claims));
  for (const claim of claims)
    updateReads(client, 'GET /api/communities/:communityId/tasks/:taskId', { taskId: claim.taskId }, (task) => ({
      ...task,
      claim,
    }));
}

/** A decided claim stays out of the queue until it is read again. */
function putDecisions(client: QueryClient, claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  updateReads(client, 'GET /api/communities/:communityId/review', {}, (queue, url) =>
    // With a `state` the list shows past decisions.
    new URL(url, location.href).searchParams.has('state') ? queue : withoutDecided(queue, claims),
  );
}

function putRole(client: QueryClient, { id, role }: CommunitySummary): void {
  updateReads(client, 'GET /api/communities/:communityId', {}, (detail) =>
    detail.id === id ? { ...detail, role } : detail,
  );
  updateReads(client, 'GET /api/communities', {}, (list) =>
    list.map((one) => (one.id === id ? { ...one, role } : one)),
  );
}

/** The commands that the visible toast reports. */
let shown: { toast: number; commands: readonly Command[] } = { toast: 0, commands: [] };

/**
 * Shows one toast for results that arrive together, merged with those of the toast that it replaces: a claim that was
 * not counted goes first, else the latest, with the sum of points.
 */
function notify(news: readonly Command[]): void {
  const ids = new Set(news.map(({ entry }) => entry.id));
  const before = isToastOpen(shown.toast) ? shown.commands.filter(({ entry }) => !ids.has(entry.id)) : [];
  const commands = [...before, ...news];
  const worded = commands.flatMap((command) => wordsOf(command).map((words) => ({ words, command })));
  const first = worded.findLast(({ words }) => words.mark === 'refused') ?? worded.at(-1);
  if (first === undefined) return;
  const counted = claimsIn(commands.filter(isMine)).filter(({ state }) => state === 'approved');
  const all = first.words.mark === 'ink' && first.command.subject.kind !== 'points' && counted.length > 1;
  shown = { toast: toast(all ? allCounted(counted) : first.words), commands };
}
const allCounted = (claims: readonly Claim[]): ToastWords => ({
  mark: 'ink',
  title: m.member_toast_counted({ points: signed(claims.reduce((sum, { points }) => sum + points, 0)) }),
  line: m.member_toast_counted_tasks({ n: number(claims.length) }),
});

function wordsOf({ entry, subject, answer }: Command): ToastWords[] {
  if (subject.kind === 'claim' && isClaim(answer)) return wordsOfClaim(entry, answer);
  if (subject.kind === 'appeal' && isClaim(answer))
    return [{ mark: 'received', title: m.member_toast_appealed(), line: m.member_toast_appealed_line() }];
  if (subject.kind === 'points') return [{ mark: 'ink', title: m.member_toast_points(), line: entry.label }];
  if (subject.kind === 'zone') return [{ mark: 'ink', title: m.member_toast_zone(), line: entry.label }];
  if (subject.kind === 'quiz' && isAttempt(answer)) {
    const hasPassed = answer.result?.outcome === 'passed';
    const title = hasPassed ? m.quiz_toast_passed() : m.quiz_toast_not_passed();
    return [{ mark: hasPassed ? 'ink' : 'refused', title, line: entry.label }];
  }
  if ((subject.kind === 'join' || subject.kind === 'invite') && isSummary(answer)) {
    const title = m.member_toast_joined({ community: answer.name });
    return [{ mark: 'ink', title, line: m.member_toast_joined_line({ today: m.shell_today() }) }];
  }
  return [];
}

function wordsOfClaim(entry: OutboxEntry, { state, points, reason }: Claim): ToastWords[] {
  if (state === 'approved')
    return [{ mark: 'ink', title: m.member_toast_counted({ points: signed(points) }), line: entry.label }];
  if (state === 'rejected') {
    const line = reason ? m.member_toast_rejected_line({ task: entry.label, reason }) : entry.label;
    return [{ mark: 'refused', title: m.member_toast_rejected(), line }];
  }
  if (state === 'submitted' || state === 'checking')
    return [{ mark: 'received', title: m.member_toast_received(), line: m.member_toast_received_line() }];
  return [];
}
