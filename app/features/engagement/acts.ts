import type { CommunitySummary, NewClaim, NewDecision, Task } from '../../../server/contract/communities.ts';
import { discardEntry, enqueue } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { toast } from '../../ui/toast.tsx';
import { claimSubject, decisionSubject, joinSubject, laneOf, laneWithin } from './subjects.ts';

type Act = { lane: string; path: string; body: unknown; label: string; subject: string };

/**
 * Keeps an act on the device, from where it is sent at once or when there is a connection. Says so where the connection
 * is known to be away; says what is wrong where it could not be kept. Gives its id, or null.
 */
async function keep(act: Act, undo: boolean): Promise<string | null> {
  try {
    const id = await enqueue({ method: 'POST', ...act });
    if (!navigator.onLine)
      toast({
        mark: 'pencil',
        title: m.member_toast_saved(),
        line: m.member_toast_saved_line({ what: act.label }),
        ...(undo && { action: { label: m.member_undo(), onPress: () => void discardEntry(id) } }),
      });
    return id;
  } catch (error) {
    const line = error instanceof Error ? error.message : '';
    toast({ mark: 'refused', title: m.member_toast_not_kept(), ...(line && { line }), urgent: true });
    return null;
  }
}

/** Claims a task: one command, sent once however often it is tried. `actedAt` is the device's clock. */
export function claim(communityId: string, task: Task, text?: string): Promise<string | null> {
  const body: NewClaim = { actedAt: new Date().toISOString(), ...(text !== undefined && { text }) };
  const path = `/api/communities/${communityId}/tasks/${task.id}/claims`;
  const lane = laneWithin(communityId, `task:${task.id}`);
  return keep({ lane, path, body, label: task.title, subject: claimSubject(communityId, task.id) }, true);
}

export function join(community: Pick<CommunitySummary, 'id' | 'name'>): Promise<string | null> {
  const path = `/api/communities/${community.id}/join`;
  const label = m.member_join_label({ community: community.name });
  return keep({ lane: laneOf(community.id), path, body: undefined, label, subject: joinSubject(community.id) }, true);
}

/** Decides a claim. `who` is the member whose claim it is, for the list of unsent acts. */
export function decide(
  communityId: string,
  claimId: string,
  who: string,
  decision: NewDecision,
): Promise<string | null> {
  const path = `/api/communities/${communityId}/claims/${claimId}/decision`;
  const words = decision.decision === 'approve' ? m.leader_approve_label : m.leader_reject_label;
  const lane = laneWithin(communityId, `claim:${claimId}`);
  return keep({ lane, path, body: decision, label: words({ who }), subject: decisionSubject(claimId) }, true);
}
