import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Claim } from '../../../server/contract/claims.ts';
import type { CommunityDetail, Dashboard } from '../../../server/contract/communities.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { type OutboxEntry, onDelivered } from '../../lib/device.ts';
import { urlOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { signed } from '../../ui/format.ts';
import { toast } from '../../ui/toast.tsx';
import { readAfreshSoon } from './afresh.ts';
import { communityOf, readSubject } from './subjects.ts';
import { withClaim } from './task-view.ts';
import { keepTold } from './told.ts';

let screens = 0;
let stop: (() => void) | null = null;

/** While any screen uses it, hears once of every act that the server acknowledged: tells the member, and reads afresh. */
export function useDeliveries(): void {
  const client = useQueryClient();
  useEffect(() => {
    screens += 1;
    stop ??= onDelivered(({ entry, answer }) => take(client, entry, answer));
    return () => {
      screens -= 1;
      if (screens > 0) return;
      stop?.();
      stop = null;
    };
  }, [client]);
}

function take(client: QueryClient, entry: OutboxEntry, answer: unknown): void {
  const subject = readSubject(entry.subject);
  if (subject === null) return;
  if (isClaim(answer)) keepTold(answer);
  if (subject.kind === 'claim' && isClaim(answer)) {
    placeClaim(client, subject.communityId, answer);
    tellOfClaim(entry, answer);
  }
  if (subject.kind === 'appeal' && isClaim(answer)) {
    placeClaim(client, communityOf(entry.lane) ?? '', answer);
    toast({ mark: 'received', title: m.member_toast_appealed(), line: m.member_toast_appealed_line() });
  }
  if (subject.kind === 'zone') toast({ mark: 'ink', title: m.member_toast_zone(), line: entry.label });
  if ((subject.kind === 'join' || subject.kind === 'invite') && isSummary(answer)) {
    placeRole(client, answer);
    toast({
      mark: 'ink',
      title: m.member_toast_joined({ community: answer.name }),
      line: m.member_toast_joined_line(),
    });
  }
  readAfreshSoon(client);
}

const isClaim = (answer: unknown): answer is Claim =>
  typeof answer === 'object' && answer !== null && 'taskId' in answer && 'state' in answer;
const isSummary = (answer: unknown): answer is CommunitySummary =>
  typeof answer === 'object' && answer !== null && 'slug' in answer && 'role' in answer;

/** Puts the server's answer where it belongs before anything is read again: a card never falls back to open. */
function placeClaim(client: QueryClient, communityId: string, claim: Claim): void {
  client.setQueriesData<Dashboard>(
    { predicate: ({ queryKey }) => /\/dashboard$/.test(urlOf(queryKey)) },
    (dashboard) => (dashboard?.community.id === communityId ? withClaim(dashboard, claim) : dashboard),
  );
  client.setQueriesData<TaskWithClaim>(
    { predicate: ({ queryKey }) => urlOf(queryKey).endsWith(`/tasks/${claim.taskId}`) },
    (task) => task && { ...task, claim },
  );
}

function placeRole(client: QueryClient, { id, role }: CommunitySummary): void {
  client.setQueriesData<CommunityDetail>(
    { predicate: ({ queryKey }) => /^\/api\/communities\/[^/]+$/.test(urlOf(queryKey)) },
    (detail) => (detail?.id === id ? { ...detail, role } : detail),
  );
  client.setQueriesData<CommunitySummary[]>({ queryKey: ['/api/communities'], exact: true }, (list) =>
    list?.map((one) => (one.id === id ? { ...one, role } : one)),
  );
}

function tellOfClaim(entry: OutboxEntry, claim: Claim): void {
  if (claim.state === 'approved')
    toast({ mark: 'ink', title: m.member_toast_counted({ points: signed(claim.points) }), line: entry.label });
  if (claim.state === 'rejected')
    toast({
      mark: 'refused',
      title: m.member_toast_rejected(),
      line: claim.reason ? m.member_toast_rejected_line({ task: entry.label, reason: claim.reason }) : entry.label,
    });
  if (claim.state === 'submitted' || claim.state === 'checking')
    toast({
      mark: 'received',
      title: m.member_toast_received(),
      line: m.member_toast_received_line(),
    });
}
