import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import { CONFIRM_ABOVE } from '../../../../server/contract/limits.ts';
import type { Decision, ReviewItem } from '../../../../server/contract/review.ts';
import { discardEntry, useOutbox } from '../../../lib/device.ts';
import { number } from '../../../lib/format.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { waitingStill } from '../../../shared/commands/decided-here.ts';
import type { Asking } from '../../../ui/reason-dialog.tsx';
import { decideAll } from '../parts/commands.ts';
import { isAppeal, nextOfTask, selectAfter, unusedFor, viewQueue } from './review-queue.ts';
import type { Explained } from './saved-replies.tsx';
import { useSimilar } from './similar-answers.tsx';
import { useDecisionsInFlight } from './use-decisions-in-flight.ts';
import type { Queue } from './use-queue.ts';

/** From this width there is room for a third column; on narrower screens it is a sheet. */
const BESIDE = '(min-width: 1180px)';

export type DeskProps = {
  community: CommunitySummary;
  queue: Queue;
  isNarrowed: boolean;
  onSearch: () => void;
};
export type Desk = ReturnType<typeof useDesk>;

/** The open claim and the selected ones. `onChoose`: another one is opened. */
function useSelection(open: readonly ReviewItem[], onMore: Queue['onMore'], onChoose: () => void) {
  const [chosen, setChosen] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const before = useRef(open);
  const current = selectAfter(before.current, open, chosen);
  useEffect(() => {
    before.current = open;
    if (current !== chosen) setChosen(current);
  }, [open, current, chosen]);
  const at = open.findIndex((item) => item.claim.id === current);
  const item = open[at] ?? null;
  const answers = open.filter((one) => !isAppeal(one));
  // A bulk decision takes the selected claims that are still waiting, never an appeal.
  const bulk = answers.filter(({ claim }) => marked.has(claim.id));
  const next = item && nextOfTask(open, item);
  const choose = (claimId: string | null) => {
    onChoose();
    setChosen(claimId);
  };
  const markAll = () => {
    setMarked(new Set(answers.map(({ claim }) => claim.id)));
    if (item && isAppeal(item)) choose(answers[0]?.claim.id ?? null);
  };
  const unmarkAll = () => setMarked(new Set());
  return {
    current,
    at,
    item,
    one: item ? [item] : [],
    answers,
    bulk,
    marked,
    /** Shown side by side: the selected ones and the current one. Appeals are read one by one. */
    besideEachOther:
      bulk.length > 1 && item && !isAppeal(item) ? open.filter((one) => one === item || bulk.includes(one)) : [],
    choose,
    chooseNext: () => next && choose(next),
    step: (by: 1 | -1) => {
      if (at + by >= open.length) onMore?.();
      choose(open[Math.min(Math.max(at + by, 0), open.length - 1)]?.claim.id ?? null);
    },
    toggle: (claimId: string) => {
      const after = new Set(marked);
      if (!after.delete(claimId)) after.add(claimId);
      setMarked(after);
    },
    mark: (claimIds: readonly string[]) => setMarked(new Set([...marked, ...claimIds])),
    leaveOut: (claimIds: readonly string[]) => setMarked(new Set([...marked].filter((id) => !claimIds.includes(id)))),
    markAll,
    unmarkAll,
    toggleAll: () => (bulk.length === answers.length ? unmarkAll() : markAll()),
  };
}

/** The queue on this device, its open and selected claims, and their actions and keys. */
export function useDesk({ community, queue, onSearch }: DeskProps) {
  const communityId = community.id;
  const { items } = queue;
  const outbox = useOutbox();
  const { open, decided } = useMemo(() => viewQueue(communityId, items, outbox), [communityId, items, outbox]);
  const [asking, setAsking] = useState<(Omit<Asking, 'presets'> & { decision: Explained; isBeside: boolean }) | null>(
    null,
  );
  const [sheet, setSheet] = useState<'list' | 'keys' | 'replies' | null>(null);
  const [isSure, setSure] = useState(true);
  const closeSure = useCallback(() => setSure(true), []);
  const closeAsking = useCallback(() => setAsking(null), []);
  const closeSheet = useCallback(() => setSheet(null), []);
  const selection = useSelection(open, queue.onMore, closeAsking);
  const { bulk, item, one } = selection;
  const inFlight = useDecisionsInFlight(open);
  const openedFrom = useRef<Element | null>(null);

  const give = async (about: readonly ReviewItem[], decision: Decision, reason?: string): Promise<boolean> => {
    const body = { decision, ...(reason !== undefined && { reason }) };
    const claims = about
      .filter(({ claim }) => !inFlight.has(claim))
      .map(({ claim, member }) => ({ claimId: claim.id, version: claim.version, who: member.displayName }));
    const unused = claims.flatMap(({ claimId }) => unusedFor(outbox, claimId));
    setAsking(null);
    if (about === bulk) {
      selection.unmarkAll();
      setSheet(null);
    }
    inFlight.add(claims);
    const isQueued = await decideAll(communityId, claims, body);
    if (!isQueued) inFlight.delete(claims);
    // The new decision replaces the unused one.
    else for (const { id } of unused) await discardEntry(id);
    return isQueued;
  };
  const ask = (about: readonly ReviewItem[], decision: Explained) => {
    const [first] = about;
    if (!first || (decision === 'request_changes' && about.some(isAppeal))) return;
    const who =
      about === bulk ? m.leader_several({ count: bulk.length, n: number(bulk.length) }) : first.member.displayName;
    openedFrom.current = document.activeElement;
    setAsking({
      about: `${decision}:${about === bulk ? communityId : first.claim.id}`,
      title: decision === 'reject' ? m.leader_reject_title({ who }) : m.leader_changes_title({ who }),
      action: decision === 'reject' ? m.leader_reject() : m.leader_changes(),
      hint: m.leader_reason_hint(),
      decision,
      isGrave: decision === 'reject',
      isBeside: matchMedia(BESIDE).matches,
      onReason: (reason) => give(about, decision, reason),
    });
  };
  // Rejections open their own dialog for a reason.
  const approve = (about: readonly ReviewItem[]) => {
    if (about === bulk && bulk.length > CONFIRM_ABOVE) setSure(false);
    else void give(about, 'approve');
  };
  // After cancelling, the focus returns to where it was.
  useEffect(() => {
    if (asking === null && document.activeElement === document.body && openedFrom.current instanceof HTMLElement)
      openedFrom.current.focus();
  }, [asking]);
  useKeys({
    a: () => approve(one),
    c: () => ask(one, 'request_changes'),
    r: () => ask(one, 'reject'),
    'shift+a': () => approve(bulk),
    'shift+c': () => ask(bulk, 'request_changes'),
    'shift+r': () => ask(bulk, 'reject'),
    j: () => selection.step(1),
    k: () => selection.step(-1),
    n: selection.chooseNext,
    x: () => item && !isAppeal(item) && selection.toggle(item.claim.id),
    'shift+x': selection.toggleAll,
    escape: () => (asking ? closeAsking() : selection.unmarkAll()),
    '/': onSearch,
    '?': () => setSheet('keys'),
  });
  return {
    communityId,
    open,
    decided,
    alike: useSimilar(open),
    waiting: waitingStill(communityId, queue.waiting, outbox, queue.seen),
    asking,
    closeAsking,
    sheet,
    setSheet,
    closeSheet,
    approve,
    isSure,
    closeSure,
    approveSurely: () => {
      closeSure();
      void give(bulk, 'approve');
    },
    ask,
    ...selection,
  };
}
