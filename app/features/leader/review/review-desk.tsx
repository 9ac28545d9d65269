import './review.css';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Reason } from '../../../ui/reason-dialog.tsx';
import { Dialog, Sheet } from '../../../ui/sheet.tsx';
import { Empty, State } from '../../../ui/states.tsx';
import { ContactSheet } from './contact-sheet.tsx';
import { Beside, usePrefetchedBeside } from './review-beside.tsx';
import { ReviewCard } from './review-card.tsx';
import {
  Decided,
  DecisionButtons,
  Keys,
  Progress,
  SureDialog,
  Together,
  useFocusWhenEmptied,
} from './review-controls.tsx';
import { ReviewList } from './review-list.tsx';
import { RepliesSheet, useReplies } from './saved-replies.tsx';
import { SimilarButton } from './similar-answers.tsx';
import { type Desk, type DeskProps, useDesk } from './use-desk.ts';

/** The review desk: the list of waiting claims, the open one, and decisions that are not delivered yet. */
export function ReviewDesk(props: DeskProps) {
  const { community, queue, isNarrowed } = props;
  const desk = useDesk(props);
  const { communityId, asking, sheet, setSheet, closeSheet, bulk, item } = desk;
  const replies = useReplies(communityId);
  const emptied = useFocusWhenEmptied(item === null);
  usePrefetchedBeside(communityId, desk.open[desk.at + 1]);
  const list = (
    <ReviewList
      items={desk.open}
      waiting={desk.waiting}
      current={desk.current}
      marked={desk.marked}
      alike={desk.alike}
      onMark={desk.toggle}
      onMarkAll={desk.toggleAll}
      onMore={queue.onMore}
      onChoose={(claimId) => {
        desk.choose(claimId);
        setSheet(null);
      }}
    />
  );
  const reason = asking && (
    <Reason
      key={asking.about}
      // Replies that load or change in the meantime are offered too.
      asking={{ ...asking, presets: replies[asking.decision] }}
      onClose={desk.closeAsking}
      {...(community.role === 'leader' && { onEdit: () => setSheet('replies') })}
    />
  );
  return (
    <>
      <div className="review-columns">
        <Card className="only-wide review-queue-card">{list}</Card>
        <div ref={emptied} tabIndex={-1}>
          {item ? <Open desk={desk} /> : <Emptied desk={desk} isNoneSuch={isNarrowed && queue.waiting > 0} />}
        </div>
        <aside className="stack-medium" aria-label={m.leader_beside()}>
          {asking?.isBeside ? (
            <Card>
              <section aria-label={asking.title}>
                <h3>{asking.title}</h3>
                {reason}
              </section>
            </Card>
          ) : (
            <BesideOpen desk={desk} />
          )}
          <Decided entries={desk.decided} />
        </aside>
      </div>
      <Sheet title={m.leader_list()} open={sheet === 'list'} onClose={closeSheet}>
        {list}
        {bulk.length > 0 && <DeskActions desk={desk} />}
      </Sheet>
      <Sheet title={asking?.title ?? ''} open={asking?.isBeside === false} onClose={desk.closeAsking}>
        {reason}
      </Sheet>
      <RepliesSheet communityId={communityId} replies={replies} open={sheet === 'replies'} onClose={closeSheet} />
      <Dialog title={m.leader_keys()} open={sheet === 'keys'} onClose={closeSheet}>
        <Keys />
        <Button kind="words" onClick={closeSheet}>
          {m.leader_understood()}
        </Button>
      </Dialog>
      <SureDialog count={bulk.length} open={!desk.isSure} onClose={desk.closeSure} onSure={desk.approveSurely} />
    </>
  );
}

/** The open claim, or the selected ones side by side. */
function Open({ desk }: { desk: Desk }) {
  const { communityId, item, marked, alike, setSheet } = desk;
  if (!item) return null;
  return (
    <>
      <Progress
        decided={desk.decided.filter(({ state }) => state !== 'refused').length}
        at={desk.at + 1}
        of={desk.open.length}
        onStep={desk.step}
        onList={() => setSheet('list')}
        onKeys={() => setSheet('keys')}
      />
      {desk.besideEachOther.length > 0 ? (
        <ContactSheet
          communityId={communityId}
          items={desk.besideEachOther}
          marked={marked}
          current={desk.current}
          alike={alike}
          onMark={(claimId) => {
            desk.toggle(claimId);
            // A deselected one stays visible, so it can be selected again.
            desk.choose(claimId);
          }}
          onLeaveOut={desk.leaveOut}
        />
      ) : (
        <ReviewCard key={item.claim.id} item={item} communityId={communityId}>
          <SimilarButton alike={alike} claimId={item.claim.id} onChoose={desk.choose} onMark={desk.mark} />
        </ReviewCard>
      )}
      <DeskActions desk={desk} />
    </>
  );
}

/** Decides the selected claims, or else the open one. */
function DeskActions({ desk }: { desk: Desk }) {
  const about = desk.bulk.length > 0 ? desk.bulk : desk.one;
  return (
    <DecisionButtons
      about={about}
      count={desk.bulk.length}
      onApprove={() => desk.approve(about)}
      onAsk={(decision) => desk.ask(about, decision)}
    />
  );
}

function Emptied({ desk, isNoneSuch }: { desk: Desk; isNoneSuch: boolean }) {
  const inPencil = desk.decided.some(({ state }) => state !== 'refused');
  return (
    <Card>
      {isNoneSuch && !inPencil ? (
        <Empty title={m.leader_queue_none_such()} line={m.leader_queue_none_such_line()} />
      ) : (
        <State illustration="done" title={m.leader_queue_empty()}>
          <p>{inPencil ? m.leader_queue_empty_pencil() : m.leader_queue_empty_line()}</p>
        </State>
      )}
    </Card>
  );
}

function BesideOpen({ desk }: { desk: Desk }) {
  const { bulk, item, open } = desk;
  if (bulk.length > 0)
    return <Together count={bulk.length} of={desk.answers.length} onAll={desk.markAll} onClear={desk.unmarkAll} />;
  if (!item) return null;
  const ofTask = open.filter(({ task }) => task.id === item.task.id);
  return (
    <Beside communityId={desk.communityId} item={item} same={{ count: ofTask.length - 1, onNext: desk.chooseNext }} />
  );
}
