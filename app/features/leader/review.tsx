import './leader.css';
import './review.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommunitySummary } from '../../../server/contract/community.ts';
import type { Decision, ReviewItem } from '../../../server/contract/review.ts';
import { discardEntry, type OutboxEntry, useOutbox } from '../../lib/device.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { useKeys } from '../../lib/use-keys.ts';
import { m } from '../../paraglide/messages.js';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { number } from '../../ui/format.ts';
import { Hatch } from '../../ui/icon.tsx';
import { Segment } from '../../ui/segment.tsx';
import { Dialog, Sheet } from '../../ui/sheet.tsx';
import { Reading, State } from '../../ui/states.tsx';
import { useAcknowledged } from '../engagement/acknowledged.ts';
import { overlayQueue } from '../engagement/overlay.ts';
import { useSearch } from '../engagement/use-search.ts';
import { decideAll } from './acts.ts';
import { AlikeButton, useAlike } from './alike.tsx';
import { Decisions } from './decisions.tsx';
import { PendingList } from './pending.tsx';
import { type Asking, ReasonDialog } from './reason-dialog.tsx';
import { ReviewCard, similarTo } from './review-card.tsx';
import { ReviewList } from './review-list.tsx';
import { changedSince, isAppeal, selectAfter, viewQueue, waitingStill } from './review-queue.ts';
import { SentBack } from './sent-back.tsx';
import { useDecisionsInFlight } from './use-decisions-in-flight.ts';

const VIEWS = ['waiting', 'sent-back', 'approved', 'rejected'] as const;
const VIEW_WORDS = {
  waiting: m.leader_view_waiting,
  'sent-back': m.leader_view_sent_back,
  approved: m.leader_view_approved,
  rejected: m.leader_view_rejected,
} as const;

/** What waits for this reviewer, what waits for its member's answer, and what was decided. */
export function Review({ community }: { community: CommunitySummary }) {
  const [search, setSearch] = useSearch();
  const view = VIEWS.find((one) => one === search['show']) ?? 'waiting';
  return (
    <>
      <div className="view-switch">
        <Segment
          label={m.leader_views()}
          options={VIEWS.map((value) => ({ value, label: VIEW_WORDS[value]() }))}
          value={view}
          onChange={(value) => setSearch({ show: value === 'waiting' ? null : value })}
        />
      </div>
      {view === 'waiting' ? (
        <Waiting communityId={community.id} />
      ) : view === 'sent-back' ? (
        <SentBack communityId={community.id} />
      ) : (
        <Decisions key={view} community={community} state={view} />
      )}
    </>
  );
}

function Waiting({ communityId }: { communityId: string }) {
  const reading = read('GET /api/communities/:communityId/review', { communityId });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const overlay = useAcknowledged();
  const queue = useMemo(() => query.data && overlayQueue(query.data, overlay, asOf), [query.data, overlay, asOf]);
  return (
    <Reading query={query}>
      {(copy) => <Queue communityId={communityId} items={(queue ?? copy).items} waiting={(queue ?? copy).waiting} />}
    </Reading>
  );
}

const PRESETS: Record<Exclude<Decision, 'approve'>, readonly (() => string)[]> = {
  reject: [m.leader_preset_unclear, m.leader_preset_other, m.leader_preset_late, m.leader_preset_copied],
  request_changes: [m.leader_preset_more, m.leader_preset_photo, m.leader_preset_link, m.leader_preset_unclear],
};

/** More claims than this are approved together only after a question: reasons ask by themselves. */
const ASKED_ABOVE = 10;

/** The queue, oldest first: the list, the claim that is open, what was decided on this device and not yet received. */
function Queue(props: { communityId: string; items: readonly ReviewItem[]; waiting: number }) {
  const { communityId, items } = props;
  const outbox = useOutbox();
  const { open, decided } = useMemo(() => viewQueue(communityId, items, outbox), [communityId, items, outbox]);
  const [chosen, setChosen] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const [asking, setAsking] = useState<Asking | null>(null);
  const [sheet, setSheet] = useState<'list' | 'keys' | null>(null);
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
  // A bulk is what is marked and still waits; without marks it is the claim that is open. An appeal is decided for itself.
  const bulk = open.filter((one) => marked.has(one.claim.id) && !isAppeal(one));
  const several = bulk.length > 0;
  const mayChange = several || (item !== null && !isAppeal(item));
  usePrefetchedSimilar(communityId, open[at + 1]?.claim.id);
  const inFlight = useDecisionsInFlight(open);
  const alike = useAlike(open);

  const give = async (decision: Decision, reason?: string): Promise<boolean> => {
    const body = { decision, ...(reason !== undefined && { reason }) };
    const claims = (several ? bulk : item ? [item] : [])
      .filter(({ claim }) => !inFlight.has(claim))
      .map(({ claim, member }) => ({ claimId: claim.id, version: claim.version, who: member.displayName }));
    const unused = claims.flatMap(({ claimId }) => changedSince(outbox, claimId));
    if (several) {
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
  const ask = (decision: Exclude<Decision, 'approve'>, preset?: number) => {
    if (!several && !item) return;
    const who = several
      ? m.leader_several({ count: bulk.length, n: number(bulk.length) })
      : (item?.member.displayName ?? '');
    const presets = PRESETS[decision].map((words) => words());
    const given = preset === undefined ? undefined : presets[preset];
    setAsking({
      about: `${decision}:${several ? communityId : item?.claim.id}`,
      title: decision === 'reject' ? m.leader_reject_title({ who }) : m.leader_changes_title({ who }),
      act: decision === 'reject' ? m.leader_reject() : m.leader_changes(),
      hint: m.leader_reason_hint(),
      presets,
      ...(given !== undefined && { given }),
      onReason: (reason) => give(decision, reason),
    });
  };
  const approve = () => {
    if (bulk.length > ASKED_ABOVE) setSure(false);
    else void give('approve');
  };
  const step = (by: 1 | -1) => setChosen(open[Math.min(Math.max(at + by, 0), open.length - 1)]?.claim.id ?? null);
  const toggle = (claimId: string) => {
    const next = new Set(marked);
    if (!next.delete(claimId)) next.add(claimId);
    setMarked(next);
  };
  useKeys({
    a: approve,
    r: () => ask('reject'),
    c: () => mayChange && ask('request_changes'),
    j: () => step(1),
    k: () => step(-1),
    x: () => item && !isAppeal(item) && toggle(item.claim.id),
    '?': () => setSheet('keys'),
    ...Object.fromEntries(PRESETS.reject.map((_, index) => [String(index + 1), () => ask('reject', index)])),
  });
  const list = (
    <ReviewList
      items={open}
      waiting={waitingStill(props, outbox)}
      current={current}
      marked={marked}
      alike={alike}
      onMark={toggle}
      onMarkAll={() =>
        setMarked(new Set(several ? [] : open.filter((one) => !isAppeal(one)).map(({ claim }) => claim.id)))
      }
      onChoose={(claimId) => {
        setChosen(claimId);
        setSheet(null);
      }}
    />
  );
  const acts = (
    <Acts count={bulk.length} mayChange={mayChange} onApprove={approve} onAsk={(decision) => ask(decision)} />
  );
  const inPencil = decided.some(({ state }) => state !== 'refused');
  const emptied = useFocusWhenEmptied(item === null);
  return (
    <>
      <div className="review-columns">
        <Card className="only-wide review-queue-card">{list}</Card>
        <div ref={emptied} tabIndex={-1}>
          {item ? (
            <>
              <Progress
                decided={decided.length}
                at={at + 1}
                of={open.length}
                onStep={step}
                onList={() => setSheet('list')}
                onKeys={() => setSheet('keys')}
              />
              <ReviewCard key={item.claim.id} item={item} communityId={communityId}>
                <AlikeButton
                  alike={alike}
                  claimId={item.claim.id}
                  onChoose={setChosen}
                  onMark={(claimIds) => setMarked(new Set([...marked, ...claimIds]))}
                />
              </ReviewCard>
              {acts}
            </>
          ) : (
            <Card>
              <State illustration="done" title={m.leader_queue_empty()}>
                <p>{inPencil ? m.leader_queue_empty_pencil() : m.leader_queue_empty_line()}</p>
              </State>
            </Card>
          )}
        </div>
        <Decided entries={decided} />
      </div>
      <Sheet title={m.leader_list()} open={sheet === 'list'} onClose={closeSheet}>
        {list}
        {several && acts}
      </Sheet>
      <Dialog title={m.leader_keys()} open={sheet === 'keys'} onClose={closeSheet}>
        <Keys />
        <Button kind="words" onClick={closeSheet}>
          {m.leader_understood()}
        </Button>
      </Dialog>
      <Dialog title={m.leader_approve_sure({ n: number(bulk.length) })} open={!isSure} onClose={stop}>
        <p className="dialog__line">{m.leader_approve_sure_line()}</p>
        <div className="actions">
          <Button
            icon="check"
            onClick={() => {
              stop();
              void give('approve');
            }}
          >
            {m.leader_approve_n({ n: number(bulk.length) })}
          </Button>
          <Button kind="words" data-focus onClick={stop}>
            {m.leader_cancel()}
          </Button>
        </div>
      </Dialog>
      <ReasonDialog asking={asking} onClose={closeAsking} />
    </>
  );
}

/** Once the last claim is decided its buttons are gone, and the focus with them: it goes to what stands there instead. */
function useFocusWhenEmptied(isEmpty: boolean) {
  const place = useRef<HTMLDivElement>(null);
  const wasEmpty = useRef(isEmpty);
  useEffect(() => {
    if (isEmpty && !wasEmpty.current && document.activeElement === document.body) place.current?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  return place;
}

/** The answer to "who wrote this before?" is there when the next claim is opened, also where the connection has gone. */
function usePrefetchedSimilar(communityId: string, claimId: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (claimId !== undefined) void client.prefetchQuery(similarTo(communityId, claimId));
  }, [client, communityId, claimId]);
}

/** How far one has come, and the ways to the claims beside this one. */
function Progress(props: {
  decided: number;
  at: number;
  of: number;
  onStep: (by: 1 | -1) => void;
  onList: () => void;
  onKeys: () => void;
}) {
  const { decided, of } = props;
  const total = of + decided;
  return (
    <div className="flex-row progress-line">
      <div className="flex-grow">
        <Hatch
          done={0}
          pencil={decided / total}
          label={m.leader_progress({ done: number(decided), total: number(total) })}
        />
      </div>
      <span className="text-small numeric" role="status">
        {m.leader_position({ at: number(props.at), of: number(of) })}
      </span>
      <IconButton icon="back" label={m.leader_previous()} onClick={() => props.onStep(-1)} />
      <IconButton icon="forward" label={m.leader_next()} onClick={() => props.onStep(1)} />
      <IconButton icon="inbox" className="only-phone" label={m.leader_list()} onClick={props.onList} />
      <IconButton icon="info" className="only-wide" label={m.leader_keys()} onClick={props.onKeys} />
    </div>
  );
}

function Acts(props: {
  count: number;
  mayChange: boolean;
  onApprove: () => void;
  onAsk: (decision: Exclude<Decision, 'approve'>) => void;
}) {
  const n = number(props.count);
  const several = props.count > 0;
  return (
    <div className="decision-bar">
      <Button size="lg" icon="check" onClick={props.onApprove}>
        {several ? m.leader_approve_n({ n }) : m.leader_approve()}
      </Button>
      {props.mayChange && (
        <Button kind="edge" size="lg" onClick={() => props.onAsk('request_changes')}>
          {several ? m.leader_changes_n({ n }) : m.leader_changes()}
        </Button>
      )}
      <Button kind="no" size="lg" onClick={() => props.onAsk('reject')}>
        {several ? m.leader_reject_n({ n }) : m.leader_reject()}
      </Button>
    </div>
  );
}

const KEYS = [
  ['J', m.leader_key_next],
  ['K', m.leader_key_previous],
  ['A', m.leader_key_approve],
  ['C', m.leader_key_changes],
  ['R', m.leader_key_reject],
  ['1–4', m.leader_key_preset],
  ['X', m.leader_key_mark],
  ['Z', m.leader_key_undo],
  ['?', m.leader_key_help],
] as const;
function Keys() {
  return (
    <dl className="review-keys">
      {KEYS.map(([key, words]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{words()}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Decisions of this device that the server has not taken yet, in pencil; those that it would not take, with its words. */
function Decided({ entries }: { entries: readonly OutboxEntry[] }) {
  return (
    <div className="stack-medium decided-list">
      {entries.length > 0 && (
        <Card>
          <h3>{m.leader_decided()}</h3>
          <PendingList entries={entries} />
        </Card>
      )}
      <p className="text-small text-muted own-note">{m.leader_own_claims()}</p>
    </div>
  );
}
