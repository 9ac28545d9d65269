import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Claim } from '../../../server/contract/claims.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { type Delivery, type OutboxEntry, onDeliveries } from '../../lib/device.ts';
import { updateReads } from '../../lib/query-keys.ts';
import { m } from '../../paraglide/messages.js';
import { number, signed } from '../../ui/format.ts';
import { isToastOpen, type ToastWords, toast } from '../../ui/toast.tsx';
import { refetchChangedSoon } from './refetch.ts';
import { readSubject, type Subject } from './subjects.ts';
import { withClaims } from './task-view.ts';
import { keepDecided, keepTold, withoutDecided } from './told.ts';

let screens = 0;
let stop: (() => void) | null = null;

/** While any screen uses it, hears once of every act that the server acknowledged: tells the member, and reads afresh. */
export function useDeliveries(): void {
  const client = useQueryClient();
  useEffect(() => {
    screens += 1;
    stop ??= onDeliveries((deliveries) => take(client, deliveries));
    return () => {
      screens -= 1;
      if (screens > 0) return;
      stop?.();
      stop = null;
    };
  }, [client]);
}

type Act = { entry: OutboxEntry; subject: Subject; answer: unknown };

function take(client: QueryClient, deliveries: readonly Delivery[]): void {
  const acts = deliveries.flatMap(({ entry, answer }): Act[] => {
    const subject = readSubject(entry.subject);
    return subject === null ? [] : [{ entry, subject, answer }];
  });
  if (acts.length === 0) return;
  const mine = claimsIn(acts.filter(isMine));
  // What reviewers and leaders do is answered with a claim too, but with somebody else's.
  const others = claimsIn(acts.filter((act) => !isMine(act)));
  if (mine.length > 0) keepTold(mine);
  if (others.length > 0) keepDecided(others);
  placeClaims(client, mine);
  placeDecisions(client, others);
  for (const { subject, answer } of acts)
    if ((subject.kind === 'join' || subject.kind === 'invite') && isSummary(answer)) placeRole(client, answer);
  tell(acts);
  refetchChangedSoon(client);
}

const isMine = ({ subject: { kind } }: Act) => kind === 'claim' || kind === 'appeal';
const isClaim = (answer: unknown): answer is Claim =>
  typeof answer === 'object' && answer !== null && 'taskId' in answer && 'state' in answer;
const claimsIn = (acts: readonly Act[]): Claim[] => acts.map(({ answer }) => answer).filter(isClaim);
const isSummary = (answer: unknown): answer is CommunitySummary =>
  typeof answer === 'object' && answer !== null && 'slug' in answer && 'role' in answer;

/** Puts the server's answers where they belong before anything is refetched: a card never falls back to open. */
function placeClaims(client: QueryClient, claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  updateReads(client, 'GET /api/communities/:communityId/dashboard', {}, (dashboard) => withClaims(dashboard, claims));
  for (const claim of claims)
    updateReads(client, 'GET /api/communities/:communityId/tasks/:taskId', { taskId: claim.taskId }, (task) => ({
      ...task,
      claim,
    }));
}

/** A claim that was decided does not come back into the queue until that is read again. */
function placeDecisions(client: QueryClient, claims: readonly Claim[]): void {
  if (claims.length === 0) return;
  updateReads(client, 'GET /api/communities/:communityId/review', {}, (queue, url) =>
    // With a `state` it is a list of what was decided before.
    new URL(url, location.href).searchParams.has('state') ? queue : withoutDecided(queue, claims),
  );
}

function placeRole(client: QueryClient, { id, role }: CommunitySummary): void {
  updateReads(client, 'GET /api/communities/:communityId', {}, (detail) =>
    detail.id === id ? { ...detail, role } : detail,
  );
  updateReads(client, 'GET /api/communities', {}, (list) =>
    list.map((one) => (one.id === id ? { ...one, role } : one)),
  );
}

/** What the toast that is still to be seen spoke of. */
let said: { toast: number; acts: readonly Act[] } = { toast: 0, acts: [] };

/**
 * One toast for what came in together, and with what the one says whose place it takes: what was not counted before all else,
 * or the last of it, with all points counted.
 */
function tell(news: readonly Act[]): void {
  const ids = new Set(news.map(({ entry }) => entry.id));
  const before = isToastOpen(said.toast) ? said.acts.filter(({ entry }) => !ids.has(entry.id)) : [];
  const acts = [...before, ...news];
  const told = acts.flatMap((act) => wordsOf(act).map((words) => ({ words, act })));
  const shown = told.findLast(({ words }) => words.mark === 'refused') ?? told.at(-1);
  if (shown === undefined) return;
  const counted = claimsIn(acts.filter(isMine)).filter(({ state }) => state === 'approved');
  const all = shown.words.mark === 'ink' && shown.act.subject.kind !== 'points' && counted.length > 1;
  said = { toast: toast(all ? allCounted(counted) : shown.words), acts };
}
const allCounted = (claims: readonly Claim[]): ToastWords => ({
  mark: 'ink',
  title: m.member_toast_counted({ points: signed(claims.reduce((sum, { points }) => sum + points, 0)) }),
  line: m.member_toast_counted_tasks({ n: number(claims.length) }),
});

function wordsOf({ entry, subject, answer }: Act): ToastWords[] {
  if (subject.kind === 'claim' && isClaim(answer)) return wordsOfClaim(entry, answer);
  if (subject.kind === 'appeal' && isClaim(answer))
    return [{ mark: 'received', title: m.member_toast_appealed(), line: m.member_toast_appealed_line() }];
  if (subject.kind === 'points') return [{ mark: 'ink', title: m.member_toast_points(), line: entry.label }];
  if (subject.kind === 'zone') return [{ mark: 'ink', title: m.member_toast_zone(), line: entry.label }];
  if ((subject.kind === 'join' || subject.kind === 'invite') && isSummary(answer)) {
    const title = m.member_toast_joined({ community: answer.name });
    return [{ mark: 'ink', title, line: m.member_toast_joined_line() }];
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
