import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { discardEntry, retryEntry } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote, TaskCard } from '../../ui/card.tsx';
import { day } from '../../ui/format.ts';
import type { MarkState } from '../../ui/icon.tsx';
import { ErrorCode } from '../../ui/states.tsx';
import { claim } from '../engagement/acts.ts';
import type { TaskState, TaskView } from '../engagement/task-view.ts';
import { useDeviceWord } from '../engagement/use-device-word.ts';
import { kindWord, recurrenceWord, reviewerWords, whenWord } from '../engagement/words.ts';

const MARKS: Record<TaskState, MarkState> = {
  unsent: 'refused',
  rejected: 'refused',
  open: 'slot',
  queued: 'pencil',
  sending: 'sending',
  received: 'received',
  counted: 'ink',
  reversed: 'reversed',
};

/**
 * One task and where my act on it stands. An open card presses as a whole: a check-in at once, a text through the sheet
 * (`onWrite`). `competes` is false for leaders, whose acts do not count on their own board.
 */
export function ClaimCard(props: {
  community: CommunitySummary;
  view: TaskView;
  reviewers: string[];
  competes: boolean;
  onWrite: (task: TaskWithClaim) => void;
}) {
  const { community, view, competes } = props;
  const { task, state, entry } = view;
  const device = useDeviceWord();
  const act = () => (task.kind === 'check_in' ? void claim(community.id, task) : props.onWrite(task));
  const card = {
    mark: MARKS[state],
    title: task.title,
    meta: metaOf(view, props.reviewers, device),
    points: task.points,
  };
  if (state === 'open') return <TaskCard {...card} {...(competes && { onPress: act })} />;
  if (state === 'unsent' && entry)
    return (
      <TaskCard {...card}>
        <Quote lead={m.member_not_sent()}>{entry.error?.message}</Quote>
        {entry.error && <ErrorCode error={entry.error} />}
        <div className="acts">
          <Button kind="edge" icon="retry" onClick={() => void retryEntry(entry.id)}>
            {m.member_retry()}
          </Button>
          <Button kind="words" icon="discard" onClick={() => void discardEntry(entry.id)}>
            {m.member_discard()}
          </Button>
        </div>
      </TaskCard>
    );
  if (state === 'rejected') {
    const { reason, decidedBy, decidedAt } = view.claim ?? {};
    return (
      <TaskCard {...card}>
        <Quote
          lead={m.member_not_counted()}
          by={decidedBy && decidedAt ? m.member_by_at({ who: decidedBy, when: whenWord(decidedAt) }) : undefined}
        >
          {reason && m.member_in_quotes({ words: reason })}
        </Quote>
        {competes && (
          <div className="acts">
            <Button icon={task.kind === 'check_in' ? 'retry' : 'edit'} onClick={act}>
              {m.member_try_again()}
            </Button>
          </div>
        )}
      </TaskCard>
    );
  }
  return <TaskCard {...card} to={`/engagement-complete?community=${community.slug}&task=${task.id}`} />;
}

/** The one line under a task's title: what it asks, or what has become of the act and what happens next. */
function metaOf({ task, state, claim, entry }: TaskView, reviewers: string[], device: 'phone' | 'computer'): string {
  if (state === 'open')
    return m.member_meta_open({ kind: kindWord(task.kind), recurrence: recurrenceWord(task.recurrence) });
  if (state === 'sending') return m.member_meta_sending();
  if (state === 'queued' && entry) {
    const time = whenWord(entry.createdAt);
    return device === 'phone' ? m.member_meta_saved_phone({ time }) : m.member_meta_saved_computer({ time });
  }
  if (state === 'unsent' && entry) return m.member_meta_tried({ time: whenWord(entry.createdAt) });
  if (!claim) return kindWord(task.kind);
  const decided = claim.decidedAt ?? claim.submittedAt;
  if (state === 'received')
    return m.member_meta_received({ time: whenWord(claim.submittedAt), next: reviewerWords(reviewers) });
  if (state === 'counted') return m.member_meta_counted({ time: whenWord(decided) });
  if (state === 'reversed')
    return claim.reason
      ? m.member_meta_reversed_why({ date: day(decided), reason: claim.reason })
      : m.member_meta_reversed({ date: day(decided) });
  return m.member_meta_sent({ kind: kindWord(task.kind), time: whenWord(claim.submittedAt) });
}
