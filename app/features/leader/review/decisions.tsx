import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import { read } from '../../../lib/query.ts';
import { decisionSubject } from '../../../lib/subjects.ts';
import { m } from '../../../paraglide/messages.js';
import { History } from '../../../shared/answers/history.tsx';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { Pages } from '../../../ui/pages.tsx';
import { type Asking, ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { Empty } from '../../../ui/states.tsx';
import { reverse } from '../parts/commands.ts';
import { PendingList, usePending } from '../parts/pending.tsx';
import { AnswerShown } from './answer-shown.tsx';

/** Decided claims, by whom and why. A leader can reverse an approval and its points. */
export function Decisions({ community, state }: { community: CommunitySummary; state: 'approved' | 'rejected' }) {
  const communityId = community.id;
  const [asking, setAsking] = useState<Asking | null>(null);
  const close = useCallback(() => setAsking(null), []);
  const askWhy = ({ claim, member }: ReviewItem) =>
    setAsking({
      about: `reverse:${claim.id}`,
      title: m.leader_reverse_title({ who: member.displayName }),
      action: m.leader_reverse(),
      hint: m.leader_reverse_hint(),
      presets: [m.leader_preset_copied(), m.leader_preset_mistake()],
      onReason: async (reason) => (await reverse(communityId, claim.id, member.displayName, reason)) !== null,
    });
  return (
    <DecidedClaims
      communityId={communityId}
      state={state}
      title={state === 'approved' ? m.leader_view_approved() : m.leader_view_rejected()}
      none={<Empty title={m.leader_none_decided()} line={m.leader_none_decided_line()} />}
      actions={(item) =>
        state === 'approved' &&
        community.role === 'leader' && (
          <Button
            kind="words"
            aria-label={m.leader_reverse_named({ who: item.member.displayName, task: item.task.title })}
            onClick={() => askWhy(item)}
          >
            {m.leader_reverse()}
          </Button>
        )
      }
    >
      <ReasonDialog asking={asking} onClose={close} />
    </DecidedClaims>
  );
}

/**
 * Claims that were decided, below what this device sends just now. A claim that is to be decided again leaves the list
 * while its decision is on its way.
 */
export function DecidedClaims(props: {
  communityId: string;
  state: 'approved' | 'rejected' | 'changes_requested';
  title: string;
  none: ReactNode;
  actions: (item: ReviewItem) => ReactNode;
  children: ReactNode;
}) {
  const { communityId, state, title, none, actions, children } = props;
  const list = useListFocus<HTMLDivElement>();
  const pending = usePending(communityId, ({ kind }) => kind === 'decision');
  const decided = new Set(state === 'changes_requested' ? pending.map(({ subject }) => subject) : []);
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/review', { communityId }, { state, after }));
  return (
    <div ref={list}>
      {pending.length > 0 && (
        <Card className="pending-card">
          <PendingList entries={pending} />
        </Card>
      )}
      <Pages usePage={usePage}>
        {({ items }, isFirst) => {
          const open = items.filter(({ claim }) => !decided.has(decisionSubject(claim.id)));
          if (items.length === 0) return isFirst && none;
          if (open.length === 0) return null;
          return (
            <>
              {isFirst && <SectionHead title={title} />}
              <Card className="card--rows">
                <ul className="ruled-list">
                  {open.map((item) => (
                    <DecisionLine key={item.claim.id} item={item} communityId={communityId}>
                      {actions(item)}
                    </DecisionLine>
                  ))}
                </ul>
              </Card>
            </>
          );
        }}
      </Pages>
      {children}
    </div>
  );
}

/** A claim's member and task, and its decision: when, by whom and why; `children` are actions. */
function DecisionLine(props: { item: ReviewItem; communityId: string; children: ReactNode }) {
  const { item, communityId, children } = props;
  const { claim, task, member } = item;
  const [isOpen, setOpen] = useState(false);
  return (
    <li data-row className="task-line">
      <div>
        <h3>{member.displayName}</h3>
        <p className="text-small text-muted">
          {task.title} · {whenWord(claim.decidedAt ?? claim.submittedAt)}
          {claim.decidedBy ? ` · ${claim.decidedBy}` : ` · ${m.member_step_server()}`}
        </p>
        {claim.reason && (
          <p className="text-small text-muted">
            {claim.decidedBy ? m.member_in_quotes({ words: claim.reason }) : claim.reason}
          </p>
        )}
        <details className="disclosure" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary className="text-small">{m.leader_answer_show()}</summary>
          {isOpen && (
            <>
              <AnswerShown item={item} communityId={communityId} />
              <History steps={item.history} isOwn={false} />
            </>
          )}
        </details>
      </div>
      <div className="task-line__actions">{children}</div>
    </li>
  );
}
