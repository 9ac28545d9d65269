import './review.css';
import { useCallback, useState } from 'react';
import type { Decision, ReviewItem } from '../../../../server/contract/review.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { type Asking, ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { Empty } from '../../../ui/states.tsx';
import { decideAll } from '../parts/commands.ts';
import { DecidedClaims } from './decisions.tsx';
import { Beside } from './review-beside.tsx';
import { ReviewCard } from './review-card.tsx';

/**
 * Claims that were sent back and have no new answer yet. They count towards the task's caps, so they can be decided
 * without one; the member's next answer returns them to the queue.
 */
export function SentBack({ communityId }: { communityId: string }) {
  const [opened, setOpened] = useState<ReviewItem | null>(null);
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = useCallback(() => setOpened(null), []);
  const closeAsking = useCallback(() => setAsking(null), []);
  const give = async (
    { claim, member }: ReviewItem,
    decision: Exclude<Decision, 'request_changes'>,
    reason?: string,
  ): Promise<boolean> => {
    setOpened(null);
    const body = { decision, ...(reason !== undefined && { reason }) };
    return decideAll(communityId, [{ claimId: claim.id, version: claim.version, who: member.displayName }], body);
  };
  const askReason = (item: ReviewItem) => {
    setOpened(null);
    setAsking({
      about: `reject:${item.claim.id}`,
      title: m.leader_reject_title({ who: item.member.displayName }),
      action: m.leader_reject(),
      hint: m.leader_reason_hint(),
      presets: [m.leader_preset_silent(), m.leader_preset_unclear(), m.leader_preset_other()],
      onReason: (reason) => give(item, 'reject', reason),
    });
  };
  return (
    <DecidedClaims
      communityId={communityId}
      state="changes_requested"
      title={m.leader_view_sent_back()}
      none={<Empty title={m.leader_none_sent_back()} line={m.leader_none_sent_back_line()} />}
      actions={(item) => (
        <Button
          kind="words"
          aria-label={m.leader_decide_named({ who: item.member.displayName, task: item.task.title })}
          onClick={() => setOpened(item)}
        >
          {m.leader_decide()}
        </Button>
      )}
    >
      <Sheet title={m.leader_view_sent_back()} open={opened !== null} onClose={close}>
        {opened && (
          <>
            <ReviewCard item={opened} communityId={communityId} />
            <Beside item={opened} communityId={communityId} />
            <div className="decision-bar">
              <Button size="lg" icon="check" onClick={() => void give(opened, 'approve')}>
                {m.leader_approve()}
              </Button>
              <Button kind="no" size="lg" onClick={() => askReason(opened)}>
                {m.leader_reject()}
              </Button>
            </div>
          </>
        )}
      </Sheet>
      <ReasonDialog asking={asking} onClose={closeAsking} />
    </DecidedClaims>
  );
}
