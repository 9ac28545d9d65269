import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import type { ReviewItem } from '../../../server/contract/review.ts';
import { discardEntry, type OutboxEntry, retryEntry, useOutbox } from '../../lib/device.ts';
import { m } from '../../paraglide/messages.js';
import { PersonAvatar } from '../../ui/avatar.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Card, Points, Quote } from '../../ui/card.tsx';
import { day, number } from '../../ui/format.ts';
import { Hatch, Icon, Mark } from '../../ui/icon.tsx';
import { ErrorCode, State } from '../../ui/states.tsx';
import { decide } from '../engagement/acts.ts';
import { wordsOf } from '../engagement/evidence.ts';
import { whenWord } from '../engagement/words.ts';
import { RejectDialog } from './reject-dialog.tsx';
import { selectAfter, viewQueue } from './review-queue.ts';

/** The review queue, oldest first: the list, the claim that is open, what was decided on this device and not yet received. */
export function Review({ admin }: { admin: CommunityAdmin }) {
  const outbox = useOutbox();
  const { open, decided } = useMemo(
    () => viewQueue(admin.community.id, admin.queue, outbox),
    [admin.community.id, admin.queue, outbox],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  const [rejecting, setRejecting] = useState<ReviewItem | null>(null);
  const closeReject = useCallback(() => setRejecting(null), []);
  const before = useRef(open);
  const current = selectAfter(before.current, open, chosen);
  useEffect(() => {
    before.current = open;
    if (current !== chosen) setChosen(current);
  }, [open, current, chosen]);
  const at = open.findIndex((item) => item.claim.id === current);
  const item = open[at] ?? null;
  const communityId = admin.community.id;
  const approve = useCallback(
    (one: ReviewItem) => void decide(communityId, one.claim.id, one.member.displayName, { decision: 'approve' }),
    [communityId],
  );
  useKeys({
    a: () => item && approve(item),
    r: () => item && setRejecting(item),
    j: () => setChosen(open[Math.min(at + 1, open.length - 1)]?.claim.id ?? null),
    k: () => setChosen(open[Math.max(at - 1, 0)]?.claim.id ?? null),
  });
  const total = open.length + decided.length;
  return (
    <>
      <p className="sm mut only-wide keys">
        {m.leader_keys()} <kbd>A</kbd> {m.leader_key_approve()} <kbd>R</kbd> {m.leader_key_reject()} <kbd>J</kbd>{' '}
        {m.leader_key_next()} <kbd>K</kbd> {m.leader_key_previous()}
      </p>
      <div className="rcols">
        <Queue items={open} waiting={admin.waiting} current={current} onChoose={setChosen} />
        <div>
          {item ? (
            <>
              <div className="row prog">
                <div className="grow">
                  <Hatch
                    done={0}
                    pencil={decided.length / total}
                    label={m.leader_progress({ done: number(decided.length), total: number(total) })}
                  />
                </div>
                <span className="sm num">{m.leader_position({ at: number(at + 1), of: number(open.length) })}</span>
              </div>
              <ReviewCard key={item.claim.id} item={item} />
              <div className="dec">
                <Button size="lg" icon="check" onClick={() => approve(item)}>
                  {m.leader_approve()}
                </Button>
                <Button kind="no" size="lg" onClick={() => setRejecting(item)}>
                  {m.leader_reject()}
                </Button>
              </div>
            </>
          ) : (
            <Card>
              <State illustration="done" title={m.leader_queue_empty()}>
                <p>{decided.length > 0 ? m.leader_queue_empty_pencil() : m.leader_queue_empty_line()}</p>
              </State>
            </Card>
          )}
        </div>
        <Decided entries={decided} />
      </div>
      <RejectDialog
        item={rejecting}
        onClose={closeReject}
        onReject={(one, reason) => {
          closeReject();
          void decide(communityId, one.claim.id, one.member.displayName, { decision: 'reject', reason });
        }}
      />
    </>
  );
}

/** Keys of the review, left alone while somebody types or a dialog is open. */
function useKeys(keys: Record<string, () => unknown>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest('input, textarea, select, dialog') || document.querySelector('dialog[open]')) return;
      const act = latest.current[event.key.toLowerCase()];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
}

function Queue(props: {
  items: readonly ReviewItem[];
  waiting: number;
  current: string | null;
  onChoose: (claimId: string) => void;
}) {
  return (
    <Card className="only-wide queue-card">
      <ul>
        {props.items.map(({ claim, task, member }) => (
          <li key={claim.id}>
            <button
              type="button"
              className="qi"
              {...(claim.id === props.current && { 'aria-current': 'true' })}
              onClick={() => props.onChoose(claim.id)}
            >
              <PersonAvatar name={member.displayName} />
              <span className="grow">
                <b>{member.displayName}</b>
                <span className="xs mut qi-task">{task.title}</span>
              </span>
              <span className="xs mut">{whenWord(claim.submittedAt)}</span>
            </button>
          </li>
        ))}
      </ul>
      <p className="xs mut queue-foot">{m.leader_oldest_first({ count: props.waiting, n: number(props.waiting) })}</p>
    </Card>
  );
}

/** Who, their record, the task and its points, their words, and what is known of the claim. */
function ReviewCard({ item: { claim, task, member } }: { item: ReviewItem }) {
  const words = wordsOf(claim.evidence);
  const handles = [
    member.telegramUsername ? `@${member.telegramUsername}` : null,
    member.twitterUsername ? m.member_on_x({ name: `@${member.twitterUsername}` }) : null,
  ].filter((handle) => handle !== null);
  return (
    <article className="card rcard">
      <div className="row rcard-who">
        <PersonAvatar name={member.displayName} />
        <div className="grow">
          <h2>{member.displayName}</h2>
          <p className="xs mut">
            {m.leader_record({ approved: number(member.approved), rejected: number(member.rejected) })}
          </p>
        </div>
      </div>
      <div className="rcard-task">
        <h3>{task.title}</h3>
        <b className="num">
          <Points value={claim.points} />
        </b>
      </div>
      {task.instructions && <p className="sm mut prose">{task.instructions}</p>}
      <p className="prose rcard-words">{words ? m.member_in_quotes({ words }) : m.leader_no_words()}</p>
      <ul className="list evid">
        <Check
          icon="clock"
          title={m.leader_sent_at({ time: whenWord(claim.submittedAt) })}
          line={claim.period === 'once' ? m.leader_period_once() : m.leader_period({ period: claim.period })}
        />
        <Check
          icon="you"
          title={m.leader_member_since({ date: day(member.joinedAt) })}
          line={handles.length > 0 ? handles.join(' · ') : m.leader_no_handles()}
        />
      </ul>
    </article>
  );
}

function Check(props: { icon: 'clock' | 'you'; title: string; line: string }) {
  return (
    <li className="row evid-line">
      <Icon name={props.icon} />
      <div className="grow">
        <p className="sm evid-title">{props.title}</p>
        <p className="xs mut">{props.line}</p>
      </div>
    </li>
  );
}

/** Decisions of this device that the server has not taken yet, in pencil; those that it would not take, with its words. */
function Decided({ entries }: { entries: readonly OutboxEntry[] }) {
  return (
    <div className="stack-4 decided">
      {entries.length > 0 && (
        <Card>
          <h3>{m.leader_decided()}</h3>
          <ul className="list">
            {entries.map((entry) => (
              <li key={entry.id} className="q">
                <DecidedLine entry={entry} />
              </li>
            ))}
          </ul>
        </Card>
      )}
      <p className="sm mut own-note">{m.leader_own_claims()}</p>
    </div>
  );
}

function DecidedLine({ entry }: { entry: OutboxEntry }) {
  if (entry.state !== 'refused')
    return (
      <>
        <Mark state={entry.state === 'sending' ? 'sending' : 'pencil'} />
        <div>
          <h3>{entry.label}</h3>
          <p className="xs mut">
            {entry.state === 'sending' ? m.member_meta_sending() : m.leader_saved({ time: whenWord(entry.createdAt) })}
          </p>
        </div>
        {entry.state === 'waiting' && (
          <IconButton
            icon="undo"
            label={m.leader_undo({ what: entry.label })}
            onClick={() => void discardEntry(entry.id)}
          />
        )}
      </>
    );
  const lost = entry.error?.reason === 'ALREADY_DECIDED';
  return (
    <>
      <Mark state={lost ? 'reversed' : 'refused'} />
      <div>
        <h3>{entry.label}</h3>
        {lost && <p className="xs mut">{m.leader_lost_race({ words: entry.error?.message ?? '' })}</p>}
      </div>
      <span />
      <div className="why">
        {!lost && (
          <>
            <Quote lead={m.member_not_sent()}>{entry.error?.message}</Quote>
            {entry.error && <ErrorCode error={entry.error} />}
          </>
        )}
        <div className="acts">
          {!lost && (
            <Button kind="edge" icon="retry" onClick={() => void retryEntry(entry.id)}>
              {m.member_retry()}
            </Button>
          )}
          <Button kind="words" icon={lost ? 'check' : 'discard'} onClick={() => void discardEntry(entry.id)}>
            {lost ? m.leader_understood() : m.member_discard()}
          </Button>
        </div>
      </div>
    </>
  );
}
