import './review.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { CONFIRM_ABOVE } from '../../../../server/contract/limits.ts';
import type { Decision, ReviewItem } from '../../../../server/contract/review.ts';
import { discardEntry, useOutbox } from '../../../lib/device.ts';
import { number } from '../../../lib/format.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { waitingStill } from '../../../shared/commands/decided-here.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Asking, Reason } from '../../../ui/reason-dialog.tsx';
import { Dialog, Sheet } from '../../../ui/sheet.tsx';
import { Empty, State } from '../../../ui/states.tsx';
import { decideAll } from '../parts/acts.ts';
import { AlikeButton, useAlike } from './alike.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import { Beside, usePrefetchedBeside } from './review-beside.tsx';
import { ReviewCard } from './review-card.tsx';
import { Acts, Decided, Keys, Progress, SureDialog, Together, useFocusWhenEmptied } from './review-controls.tsx';
import { ReviewList } from './review-list.tsx';
import { isAppeal, nextOfTask, selectAfter, unusedFor, viewQueue } from './review-queue.ts';
import { type Explained, RepliesSheet, useReplies } from './saved-replies.tsx';
import { useDecisionsInFlight } from './use-decisions-in-flight.ts';
import type { Queue } from './use-queue.ts';

/** Beside the answer, where there is room for a third column; before that a sheet over it. */
const BESIDE = '(min-width: 1180px)';

/** The queue, oldest first: the list, the claim that is open, what was decided on this device and not yet received. */
export function ReviewDesk(props: {
  community: CommunitySummary;
  queue: Queue;
  isNarrowed: boolean;
  onSearch: () => void;
}) {
  const { community, queue } = props;
  const communityId = community.id;
  const { items } = queue;
  const outbox = useOutbox();
  const { open, decided } = useMemo(() => viewQueue(communityId, items, outbox), [communityId, items, outbox]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<(Omit<Asking, 'presets'> & { decision: Explained; isBeside: boolean }) | null>(
    null,
  );
  const [sheet, setSheet] = useState<'list' | 'keys' | 'replies' | null>(null);
  const replies = useReplies(communityId);
  const askedFrom = useRef<Element | null>(null);
  const [isSure, setSure] = useState(true);
  const stop = useCallback(() => setSure(true), []);
  const closeAsking = useCallback(() => setAsking(null), []);
  const closeSheet = useCallback(() => setSheet(null), []);
  const before = useRef(open);
  const current = selectAfter(before.current, open, chosen);
  useEffect(() => {
    before.current = open;
    if (current !== chosen) setChosen(current);
  }, [open, current, chosen]);
  const at = open.findIndex((item) => item.claim.id === current);
  const item = open[at] ?? null;
  const answers = open.filter((one) => !isAppeal(one));
  // A bulk is what is marked and still waits. Appeals are never part of one.
  const bulk = answers.filter(({ claim }) => marked.has(claim.id));
  const several = bulk.length > 0;
  /** Shown side by side: with what is selected the one that the keys are at. An appeal is read for itself. */
  const besideEachOther =
    bulk.length > 1 && item && !isAppeal(item) ? open.filter((one) => one === item || bulk.includes(one)) : [];
  usePrefetchedBeside(communityId, open[at + 1]);
  const inFlight = useDecisionsInFlight(open);
  const alike = useAlike(open);

  const give = async (about: readonly ReviewItem[], decision: Decision, reason?: string): Promise<boolean> => {
    const body = { decision, ...(reason !== undefined && { reason }) };
    const claims = about
      .filter(({ claim }) => !inFlight.has(claim))
      .map(({ claim, member }) => ({ claimId: claim.id, version: claim.version, who: member.displayName }));
    const unused = claims.flatMap(({ claimId }) => unusedFor(outbox, claimId));
    setAsking(null);
    if (about === bulk) {
      setMarked(new Set());
      setSheet(null);
    }
    inFlight.add(claims);
    const isKept = await decideAll(communityId, claims, body);
    if (!isKept) inFlight.delete(claims);
    // The decision on what was there before gives way to this one.
    else for (const { id } of unused) await discardEntry(id);
    return isKept;
  };
  const ask = (about: readonly ReviewItem[], decision: Explained) => {
    const [first] = about;
    if (!first || (decision === 'request_changes' && about.some(isAppeal))) return;
    const who =
      about === bulk ? m.leader_several({ count: bulk.length, n: number(bulk.length) }) : first.member.displayName;
    askedFrom.current = document.activeElement;
    setAsking({
      about: `${decision}:${about === bulk ? communityId : first.claim.id}`,
      title: decision === 'reject' ? m.leader_reject_title({ who }) : m.leader_changes_title({ who }),
      act: decision === 'reject' ? m.leader_reject() : m.leader_changes(),
      hint: m.leader_reason_hint(),
      decision,
      isGrave: decision === 'reject',
      isBeside: matchMedia(BESIDE).matches,
      onReason: (reason) => give(about, decision, reason),
    });
  };
  // Reasons ask by themselves.
  const approveSeveral = () => {
    if (bulk.length > CONFIRM_ABOVE) setSure(false);
    else void give(bulk, 'approve');
  };
  // Whoever gives up goes on where they were.
  useEffect(() => {
    if (asking === null && document.activeElement === document.body && askedFrom.current instanceof HTMLElement)
      askedFrom.current.focus();
  }, [asking]);
  const choose = (claimId: string | null) => {
    setAsking(null);
    setChosen(claimId);
  };
  const step = (by: 1 | -1) => {
    if (at + by >= open.length) queue.onMore?.();
    choose(open[Math.min(Math.max(at + by, 0), open.length - 1)]?.claim.id ?? null);
  };
  const next = item && nextOfTask(open, item);
  const toggle = (claimId: string) => {
    const after = new Set(marked);
    if (!after.delete(claimId)) after.add(claimId);
    setMarked(after);
  };
  const markAll = () => {
    setMarked(new Set(answers.map(({ claim }) => claim.id)));
    if (item && isAppeal(item)) choose(answers[0]?.claim.id ?? null);
  };
  const toggleAll = () => (bulk.length === answers.length ? setMarked(new Set()) : markAll());
  const one = item ? [item] : [];
  useKeys({
    a: () => void give(one, 'approve'),
    c: () => ask(one, 'request_changes'),
    r: () => ask(one, 'reject'),
    'shift+a': approveSeveral,
    'shift+c': () => ask(bulk, 'request_changes'),
    'shift+r': () => ask(bulk, 'reject'),
    j: () => step(1),
    k: () => step(-1),
    n: () => next && choose(next),
    x: () => item && !isAppeal(item) && toggle(item.claim.id),
    'shift+x': toggleAll,
    escape: () => (asking ? closeAsking() : setMarked(new Set())),
    '/': props.onSearch,
    '?': () => setSheet('keys'),
  });
  const list = (
    <ReviewList
      items={open}
      waiting={waitingStill(communityId, queue.waiting, outbox, queue.seen)}
      current={current}
      marked={marked}
      alike={alike}
      onMark={toggle}
      onMarkAll={toggleAll}
      onMore={queue.onMore}
      onChoose={(claimId) => {
        choose(claimId);
        setSheet(null);
      }}
    />
  );
  const acts = several ? (
    <Acts about={bulk} count={bulk.length} onApprove={approveSeveral} onAsk={(decision) => ask(bulk, decision)} />
  ) : (
    <Acts about={one} count={0} onApprove={() => void give(one, 'approve')} onAsk={(decision) => ask(one, decision)} />
  );
  const inPencil = decided.some(({ state }) => state !== 'refused');
  const emptied = useFocusWhenEmptied(item === null);
  const reason = asking && (
    <Reason
      key={asking.about}
      // Replies that arrive, or that a leader edits meanwhile, are offered too.
      asking={{ ...asking, presets: replies[asking.decision] }}
      onClose={closeAsking}
      {...(community.role === 'leader' && { onEdit: () => setSheet('replies') })}
    />
  );
  return (
    <>
      <div className="review-columns">
        <Card className="only-wide review-queue-card">{list}</Card>
        <div ref={emptied} tabIndex={-1}>
          {item ? (
            <>
              <Progress
                decided={decided.filter(({ state }) => state !== 'refused').length}
                at={at + 1}
                of={open.length}
                onStep={step}
                onList={() => setSheet('list')}
                onKeys={() => setSheet('keys')}
              />
              {besideEachOther.length > 0 ? (
                <ContactSheet
                  communityId={communityId}
                  items={besideEachOther}
                  marked={marked}
                  current={current}
                  alike={alike}
                  onMark={(claimId) => {
                    toggle(claimId);
                    // One that is left out stays in sight, to be taken in again.
                    choose(claimId);
                  }}
                  onLeaveOut={(claimIds) => setMarked(new Set([...marked].filter((id) => !claimIds.includes(id))))}
                />
              ) : (
                <ReviewCard key={item.claim.id} item={item} communityId={communityId}>
                  <AlikeButton
                    alike={alike}
                    claimId={item.claim.id}
                    onChoose={choose}
                    onMark={(claimIds) => setMarked(new Set([...marked, ...claimIds]))}
                  />
                </ReviewCard>
              )}
              {acts}
            </>
          ) : (
            <Card>
              {props.isNarrowed && queue.waiting > 0 && !inPencil ? (
                <Empty title={m.leader_queue_none_such()} line={m.leader_queue_none_such_line()} />
              ) : (
                <State illustration="done" title={m.leader_queue_empty()}>
                  <p>{inPencil ? m.leader_queue_empty_pencil() : m.leader_queue_empty_line()}</p>
                </State>
              )}
            </Card>
          )}
        </div>
        <aside className="stack-medium" aria-label={m.leader_beside()}>
          {asking?.isBeside ? (
            <Card>
              <section aria-label={asking.title}>
                <h3>{asking.title}</h3>
                {reason}
              </section>
            </Card>
          ) : several ? (
            <Together count={bulk.length} of={answers.length} onAll={markAll} onClear={() => setMarked(new Set())} />
          ) : (
            item && (
              <Beside
                communityId={communityId}
                item={item}
                same={{
                  count: open.filter(({ task }) => task.id === item.task.id).length - 1,
                  onNext: () => next && choose(next),
                }}
              />
            )
          )}
          <Decided entries={decided} />
        </aside>
      </div>
      <Sheet title={m.leader_list()} open={sheet === 'list'} onClose={closeSheet}>
        {list}
        {several && acts}
      </Sheet>
      <Sheet title={asking?.title ?? ''} open={asking?.isBeside === false} onClose={closeAsking}>
        {reason}
      </Sheet>
      <RepliesSheet communityId={communityId} replies={replies} open={sheet === 'replies'} onClose={closeSheet} />
      <Dialog title={m.leader_keys()} open={sheet === 'keys'} onClose={closeSheet}>
        <Keys />
        <Button kind="words" onClick={closeSheet}>
          {m.leader_understood()}
        </Button>
      </Dialog>
      <SureDialog
        count={bulk.length}
        open={!isSure}
        onClose={stop}
        onSure={() => {
          stop();
          void give(bulk, 'approve');
        }}
      />
    </>
  );
}
