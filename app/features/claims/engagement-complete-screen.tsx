import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { Claim, ClaimDetail } from '../../../server/contract/claims.ts';
import type { TaskWithClaim } from '../../../server/contract/tasks.ts';
import { Sent, Stands } from '../../kinds/member.tsx';
import { useOutbox } from '../../lib/device.ts';
import { day } from '../../lib/format.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useSearch } from '../../lib/search.ts';
import { serverWords } from '../../lib/server-words.ts';
import { useDeviceWord } from '../../lib/use-device-word.ts';
import { useLive } from '../../lib/use-live.ts';
import { m } from '../../paraglide/messages.js';
import { evidenceBefore } from '../../shared/answers/answer-form.tsx';
import { Checks, checksOf } from '../../shared/answers/checks.tsx';
import { DecisionQuote } from '../../shared/answers/decision-quote.tsx';
import { History } from '../../shared/answers/history.tsx';
import { useAcknowledged } from '../../shared/commands/acknowledged.ts';
import { overlayDashboard, overlayTask } from '../../shared/commands/overlay.ts';
import { SettledCommand } from '../../shared/commands/settled-command.tsx';
import { gateWords } from '../../shared/tasks/gate-words.ts';
import { MARKS } from '../../shared/tasks/marks.ts';
import { nextTask, type TaskView, viewTask, viewToday } from '../../shared/tasks/task-view.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, Points, Quote } from '../../ui/card.tsx';
import { Mark } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, Reading } from '../../ui/states.tsx';
import { Appeal } from './appeal.tsx';
import { receivedWords } from './claim-card.tsx';
import { TaskSheet } from './task-sheet.tsx';

/** The receipt for one answer, at `?community=<id or slug>&task=<id>`. */
export function EngagementCompleteScreen() {
  const [{ community = '', task = '' }] = useSearch('/engagement-complete');
  if (community === '' || task === '')
    return (
      <Screen title={m.member_receipt()}>
        <Empty
          title={m.member_receipt_none()}
          line={m.member_receipt_none_line({ today: m.shell_today() })}
          action={<ButtonLink to="/communities">{m.shell_to_communities()}</ButtonLink>}
        />
      </Screen>
    );
  return <Receipt community={community} taskId={task} />;
}

function Receipt({ community, taskId }: { community: string; taskId: string }) {
  const reading = read('GET /api/communities/:communityId/tasks/:taskId', { communityId: community, taskId });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const overlay = useAcknowledged();
  return (
    <Screen title={m.member_receipt()} asOf={asOf} onRetry={() => query.refetch()}>
      <Reading
        query={query}
        missing={
          <Empty
            title={m.member_task_missing()}
            line={m.member_task_missing_line()}
            action={
              <ButtonLink to="/community/$communityId/dashboard" params={{ communityId: community }}>
                {m.member_back_to_today({ today: m.shell_today() })}
              </ButtonLink>
            }
          />
        }
      >
        {(task) => <TaskOutcome community={community} task={overlayTask(task, overlay, asOf)} />}
      </Reading>
    </Screen>
  );
}

function TaskOutcome({ community, task }: { community: string; task: TaskWithClaim }) {
  const outbox = useOutbox();
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: community });
  const { data: dashboard, isLoading } = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const overlay = useAcknowledged();
  // The address may contain the slug; entries are stored under the id, which the dashboard knows.
  const view = viewTask(dashboard?.community.id ?? community, task, outbox);
  const next = dashboard ? nextTask(viewToday(overlayDashboard(dashboard, overlay, asOf), outbox), task.id) : null;
  const [writing, setWriting] = useState<TaskView | null>(null);
  const close = useCallback(() => setWriting(null), []);
  const { state, claim, entry } = view;
  const pencil = state === 'queued' || state === 'sending';
  const evidence = evidenceBefore(view);
  const communityId = dashboard?.community.id ?? community;
  useLive(communityId, ['dashboard'], dashboard !== undefined);
  const competes = dashboard?.community.role !== 'leader';
  const found = useQuery({
    ...read('GET /api/communities/:communityId/claims/:claimId', { communityId, claimId: claim?.id ?? '' }),
    // The community's id may be unknown until its dashboard has loaded, so wait and ask once.
    enabled: claim !== null && !isLoading,
  });
  return (
    <div className="receipt">
      <Card className={pencil ? 'pencil-card' : ''}>
        <div className="flex-row receipt__head">
          <Mark state={MARKS[state]} />
          <h2 className="flex-grow">{task.title}</h2>
          <b className="receipt__points">
            <Points value={claim && !entry ? claim.points : task.points} pencil={pencil} />
          </b>
        </div>
        <Outcome view={view} reviewers={dashboard?.reviewers ?? []} />
        {view.settled && <SettledCommand entry={view.settled} />}
        <Again view={view} competes={competes} onWrite={() => setWriting(view)} />
        {claim && !entry && checksOf(claim).length > 0 && (
          <section className="receipt__sent">
            <h3>{m.member_receipt_checks()}</h3>
            <Checks checks={checksOf(claim)} />
          </section>
        )}
        {evidence && <Sent communityId={communityId} ask={task.ask} evidence={evidence} />}
        {state === 'counted' && <Stands communityId={communityId} taskId={task.id} ask={task.ask} />}
        {claim && <ClaimParts communityId={communityId} view={view} claim={claim} detail={found.data} />}
      </Card>
      {/* Rendered last: it would move below content that is still loading. */}
      {!isLoading && !found.isLoading && (
        <div className="actions">
          {next ? (
            <Button icon="forward" onClick={() => setWriting(next)}>
              {m.member_receipt_next({ task: next.task.title })}
            </Button>
          ) : (
            <ButtonLink to="/community/$communityId/dashboard" params={{ communityId: community }}>
              {m.member_back_to_today({ today: m.shell_today() })}
            </ButtonLink>
          )}
          <ButtonLink kind="words" to="/leaderboard" search={{ community: dashboard?.community.slug ?? community }}>
            {m.member_see_board()}
          </ButtonLink>
        </div>
      )}
      <TaskSheet
        communityId={communityId}
        view={writing}
        reviewers={dashboard?.reviewers ?? []}
        competes={competes}
        onClose={close}
      />
    </div>
  );
}

/** Another try, now or from a given time. */
function Again(props: { view: TaskView; competes: boolean; onWrite: () => void }) {
  const { state, claim, task, entry } = props.view;
  if (entry || !claim || !props.competes || (state !== 'rejected' && state !== 'changes')) return null;
  const retryAt = claim.retryAt !== null && Date.parse(claim.retryAt) > Date.now() ? claim.retryAt : null;
  const shut = state === 'changes' || task.gate.open || task.gate.reason === 'cool_down' ? null : gateWords(task.gate);
  if (shut !== null) return <p className="text-small text-muted receipt__sent">{shut}</p>;
  return (
    <div className="actions">
      <Button
        icon="edit"
        disabledReason={retryAt === null ? null : m.member_from({ when: whenWord(retryAt) })}
        onClick={props.onWrite}
      >
        {state === 'changes' ? m.member_answer_changes() : m.member_try_again()}
      </Button>
    </div>
  );
}

/** From the claim's own read: the appeal and the history. */
function ClaimParts(props: { communityId: string; view: TaskView; claim: Claim; detail: ClaimDetail | undefined }) {
  const { communityId, view, claim, detail } = props;
  const mayAppeal = detail?.mayAppeal === true && claim.state === 'rejected' && view.entry === null;
  return (
    <>
      <Appeal communityId={communityId} task={view.task} claim={claim} mayAppeal={mayAppeal} entry={view.appeal} />
      {detail && detail.history.length > 1 && (
        <section className="receipt__sent">
          <h3>{m.member_receipt_history()}</h3>
          <History steps={detail.history} isOwn />
        </section>
      )}
    </>
  );
}

/** The answer's state in a sentence, with the reviewer's words if it was rejected. */
function Outcome({ view, reviewers }: { view: TaskView; reviewers: string[] }) {
  const device = useDeviceWord();
  const { state, claim, entry, task } = view;
  if (entry && state === 'unsent')
    return <Quote lead={m.member_not_sent()}>{entry.error && serverWords(entry.error)}</Quote>;
  if (entry && state === 'sending') return <p className="text-muted">{m.member_meta_sending()}</p>;
  if (entry) {
    const time = whenWord(entry.createdAt);
    return (
      <p className="text-muted">
        {device === 'phone' ? m.member_meta_saved_phone({ time }) : m.member_meta_saved_computer({ time })}
      </p>
    );
  }
  if (!claim)
    return (
      <p className="text-muted">
        {state === 'locked' ? gateWords(task.gate) : m.member_receipt_open({ today: m.shell_today() })}
      </p>
    );
  const decided = claim.decidedAt ?? claim.submittedAt;
  if (claim.appeal?.outcome === 'open')
    return <p className="text-muted">{m.member_meta_appealed({ time: whenWord(claim.appeal.at) })}</p>;
  if (state === 'received') return <p className="text-muted">{receivedWords(task, claim, reviewers)}</p>;
  if (state === 'counted')
    return (
      <p className="text-muted">
        {claim.decidedBy
          ? m.member_receipt_counted_by({ time: whenWord(decided), who: claim.decidedBy })
          : m.member_meta_counted({ time: whenWord(decided) })}
      </p>
    );
  if (state === 'reversed') {
    const by = claim.decidedBy ? m.member_by_at({ who: claim.decidedBy, when: whenWord(decided) }) : undefined;
    return (
      <Quote lead={m.member_meta_reversed({ date: day(decided) })} by={by}>
        {claim.reason && m.member_in_quotes({ words: claim.reason })}
      </Quote>
    );
  }
  return <DecisionQuote claim={claim} />;
}
