import { memo } from 'react';
import type { Claim } from '../../../server/contract/claims.ts';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import { kindOf, kindWord } from '../../kinds/kinds.ts';
import { day, number } from '../../lib/format.ts';
import type { Target } from '../../lib/target.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { m } from '../../paraglide/messages.js';
import { DecisionQuote } from '../../shared/answers/decision-quote.tsx';
import { claim } from '../../shared/commands/member-commands.ts';
import { RefusedCommand } from '../../shared/commands/refused-command.tsx';
import { SettledCommand } from '../../shared/commands/settled-command.tsx';
import { firstTap, UndoButton, useHeldSeconds } from '../../shared/commands/undo-button.tsx';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { gateWords } from '../../shared/tasks/gate-words.ts';
import { MARKS } from '../../shared/tasks/marks.ts';
import { PathSteps } from '../../shared/tasks/path-steps.tsx';
import type { TaskView } from '../../shared/tasks/task-view.ts';
import { recurrenceWord, reviewerWords, whenWord } from '../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { TaskCard } from '../../ui/card.tsx';

type Props = {
  community: CommunitySummary;
  view: TaskView;
  reviewers: string[];
  /** False for leaders, who do not compete on their own leaderboard, and in read-only lists. */
  competes: boolean;
  /** Opens the task's sheet; without it the card is read-only. */
  onWrite?: (view: TaskView) => void;
  /** Epoch ms for the card's times; a change redraws it. */
  now?: number;
};

/** A drain changes a few cards of a long list at a time; only those redraw. */
function isSameCard({ view, ...props }: Props, { view: nextView, ...next }: Props): boolean {
  return isShallowEqual(props, next) && isShallowEqual(view, nextView);
}
const isShallowEqual = <T extends object>(a: T, b: T): boolean =>
  (Object.keys({ ...a, ...b }) as (keyof T)[]).every((key) => a[key] === b[key]);

/** A press that needs no input: the card itself has the button. */
const isPlain = ({ task }: TaskView): boolean => kindOf(task.kind).pace === 'by-a-press' && task.instructions === '';

/** A task button's action: a plain check-in is claimed, every other task opens its sheet. */
export function cardAction(community: CommunitySummary, view: TaskView, onWrite: Props['onWrite']): void {
  if (isPlain(view)) void claim(community.id, view.task);
  else onWrite?.(view);
}

/** One task and the state of the member's answer. The card opens its sheet; only a labelled button claims anything. */
export const ClaimCard = memo(function ClaimCard(props: Props) {
  const { community, view, competes } = props;
  const { task, state } = view;
  const device = useDeviceWord();
  const held = useHeldSeconds(view.entry);
  const opens = props.onWrite ? { onPress: () => props.onWrite?.(view) } : {};
  const onAction = () => cardAction(community, view, props.onWrite);
  const card = {
    mark: fieldProblem(view.entry) === null ? MARKS[state] : MARKS.changes,
    title: task.title,
    meta: held === null ? metaOf(view, props.reviewers, device) : heldWords(held, device),
    points: view.claim && state !== 'open' ? view.claim.points : task.points,
  };
  const receipt: Target = { to: '/engagement-complete', search: { community: community.slug, task: task.id } };
  switch (state) {
    case 'open':
      return (
        <TaskCard {...card} {...opens}>
          {competes && isPlain(view) && (
            <div className="actions">
              <Button icon="check" data-focus onClick={firstTap(onAction)}>
                {m.member_check_in()}
              </Button>
            </div>
          )}
        </TaskCard>
      );
    case 'locked':
      return (
        <TaskCard {...card} quiet {...opens}>
          {task.gate.reason === 'conditions' && (
            <PathSteps path={task.gate.path} any={task.conditions?.match === 'any'} />
          )}
        </TaskCard>
      );
    case 'unsent':
      return <TaskCard {...card}>{view.entry && <Unsent view={view} onChange={onAction} />}</TaskCard>;
    case 'changes':
      return (
        <TaskCard {...card}>
          {view.claim && <DecisionQuote claim={view.claim} />}
          {competes && (
            <div className="actions">
              <Button kind="edge" icon="edit" onClick={onAction}>
                {m.member_answer_changes()}
              </Button>
            </div>
          )}
        </TaskCard>
      );
    case 'rejected':
      return (
        <TaskCard {...card}>
          {view.claim && <DecisionQuote claim={view.claim} />}
          {competes && (
            <div className="actions">
              <TryAgain view={view} onPress={onAction} />
              <ButtonLink kind="words" {...receipt}>
                {view.claim?.appeal ? m.member_why() : m.member_why_appeal()}
              </ButtonLink>
            </div>
          )}
        </TaskCard>
      );
    default:
      if (view.settled)
        return (
          <TaskCard {...card}>
            <SettledCommand entry={view.settled} />
          </TaskCard>
        );
      if (held === null || !view.entry) return <TaskCard {...card} link={receipt} />;
      return (
        <TaskCard {...card}>
          <div className="actions">
            <UndoButton entry={view.entry} />
          </div>
        </TaskCard>
      );
  }
}, isSameCard);

/** A refused command: its reason, and what the member can do. */
function Unsent({ view, onChange }: { view: TaskView; onChange: () => void }) {
  const { entry, task } = view;
  if (!entry) return null;
  return (
    <RefusedCommand entry={entry}>
      {!isPlain(view) && task.gate.open && (
        <Button icon="edit" onClick={onChange}>
          {m.member_change_answer()}
        </Button>
      )}
    </RefusedCommand>
  );
}

/** Another try, or when one is possible. */
function TryAgain({ view, onPress }: { view: TaskView; onPress: () => void }) {
  const { task, claim } = view;
  const retryAt = claim?.retryAt ?? null;
  const waits = retryAt !== null && Date.parse(retryAt) > Date.now();
  const shut = task.gate.open || task.gate.reason === 'cool_down' ? null : gateWords(task.gate);
  if (shut !== null) return <p className="text-small text-muted">{shut}</p>;
  return (
    <Button
      icon={isPlain(view) ? 'retry' : 'edit'}
      disabledReason={waits ? m.member_from({ when: whenWord(retryAt) }) : null}
      onClick={onPress}
    >
      {m.member_try_again()}
    </Button>
  );
}

export const heldWords = (seconds: number, device: 'phone' | 'computer'): string =>
  (device === 'phone' ? m.member_meta_held_phone : m.member_meta_held_computer)({ seconds: number(seconds) });

/** The line under a task's title: what it asks, or the answer's state and next step. */
export function metaOf(
  { task, state, claim, entry, appeal }: TaskView,
  reviewers: string[],
  device: 'phone' | 'computer',
): string {
  const kind = kindWord(task.kind);
  if (state === 'open') return openWords(task);
  // 'Given by a leader' needs nothing more.
  if (state === 'locked' && task.gate.reason === 'granted') return kind;
  if (state === 'locked') return m.member_meta_locked({ kind, why: gateWords(task.gate) });
  if (state === 'sending') return m.member_meta_sending();
  const command = entry ?? appeal;
  if (state === 'queued' && command) {
    if (!entry) return m.member_meta_appeal_saved({ time: whenWord(command.createdAt) });
    const time = whenWord(command.createdAt);
    return device === 'phone' ? m.member_meta_saved_phone({ time }) : m.member_meta_saved_computer({ time });
  }
  if (state === 'unsent' && entry) return m.member_meta_tried({ time: whenWord(entry.createdAt) });
  if (!claim) return kind;
  const decided = claim.decidedAt ?? claim.submittedAt;
  if (state === 'received') {
    if (claim.appeal?.outcome === 'open') return m.member_meta_appealed({ time: whenWord(claim.appeal.at) });
    return receivedWords(task, claim, reviewers);
  }
  if (state === 'counted') return m.member_meta_counted({ time: whenWord(decided) });
  if (state === 'reversed')
    return claim.reason
      ? m.member_meta_reversed_why({ date: day(decided), reason: claim.reason })
      : m.member_meta_reversed({ date: day(decided) });
  return m.member_meta_sent({ kind, time: whenWord(claim.submittedAt) });
}

/** The next step for a received answer: who reviews it, or which partner is asked. */
export function receivedWords({ ask }: TaskView['task'], { submittedAt, state }: Claim, reviewers: string[]): string {
  const time = whenWord(submittedAt);
  const host = state === 'checking' ? kindOf(ask.kind).checker?.(ask) : undefined;
  if (host !== undefined) return m.kinds_partner_received({ time, host });
  return m.member_meta_received({ time, next: reviewerWords(reviewers) });
}

/** Tasks work offline without saying so, except those done elsewhere or fetched first. */
function openWords({ ask, recurrence }: TaskView['task']): string {
  const { word, openLine, needsConnection } = kindOf(ask.kind);
  if (openLine) return openLine(ask);
  const what = m.member_meta_open({ kind: word(), recurrence: recurrenceWord(recurrence) });
  return needsConnection?.(ask) ? m.today_needs_connection({ what }) : what;
}
