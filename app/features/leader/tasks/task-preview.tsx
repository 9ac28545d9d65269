import './task-preview.css';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { TaskWithClaim } from '../../../../server/contract/tasks.ts';
import { m } from '../../../paraglide/messages.js';
import { viewTask } from '../../../shared/tasks/task-view.ts';
import { ClaimCard } from '../../claims/claim-card.tsx';

/** A member's card on Today, not pressable here. */
export function TaskPreview({
  community,
  task,
  bare,
}: {
  community: CommunitySummary;
  task: TaskWithClaim;
  /** The card only, where several are stacked. */
  bare?: boolean;
}) {
  const card = (
    <ClaimCard community={community} view={viewTask(community.id, task, [])} reviewers={[]} competes={false} />
  );
  if (bare) return card;
  return (
    <section className="task-preview" aria-label={m.leader_preview()}>
      <p className="text-tiny text-muted">{m.leader_preview_line({ today: m.shell_today() })}</p>
      {card}
      {task.instructions && <p className="text-small written-text task-preview__words">{task.instructions}</p>}
    </section>
  );
}
