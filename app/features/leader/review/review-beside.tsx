import './review-beside.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { levelOf } from '../../../../server/contract/limits.ts';
import type { MemberRecord, ReviewItem } from '../../../../server/contract/review.ts';
import { day, number } from '../../../lib/format.ts';
import { isNetworkFailure } from '../../../lib/http.ts';
import { pictureSource } from '../../../lib/pictures.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { wordsOf } from '../../../shared/tasks/evidence.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Mark, type MarkState } from '../../../ui/icon.tsx';
import { KeyHint } from '../../../ui/key-hint.tsx';
import { TrustSum } from './trust-sum.tsx';

/** Other answers like a claim's. */
export const similarTo = (communityId: string, claimId: string) =>
  read('GET /api/communities/:communityId/claims/:claimId/similar', { communityId, claimId });
const recordOf = (communityId: string, userId: string) =>
  read('GET /api/communities/:communityId/members/:userId/record', { communityId, userId });

/** Prefetches the next claim's picture and side panel, so they open even if the connection is lost. */
export function usePrefetchedBeside(communityId: string, next: ReviewItem | undefined): void {
  const client = useQueryClient();
  const [claimId, userId] = [next?.claim.id, next?.member.id];
  const evidence = next?.claim.evidence;
  const imageId = evidence?.kind === 'submit_image' ? evidence.imageId : undefined;
  useEffect(() => {
    if (claimId === undefined || userId === undefined) return;
    void client.prefetchQuery(similarTo(communityId, claimId));
    void client.prefetchQuery(recordOf(communityId, userId));
    if (imageId !== undefined) new Image().src = pictureSource(communityId, imageId);
  }, [client, communityId, claimId, userId, imageId]);
}

/** Context for a reviewer: the member's earlier answers, and similar answers of others. */
export function Beside(props: {
  communityId: string;
  item: ReviewItem;
  /** Waiting claims of the same task, and a link to the next. */
  same?: { count: number; onNext: () => void };
}) {
  const { communityId, item, same } = props;
  return (
    <>
      <Record communityId={communityId} item={item} />
      <Similar communityId={communityId} item={item} />
      {same && same.count > 0 && (
        <Card className="stack">
          <p className="text-small text-muted">{m.leader_same_task({ count: same.count, n: number(same.count) })}</p>
          <Button kind="edge" aria-keyshortcuts="N" onClick={same.onNext}>
            {m.leader_next_same()}
            <KeyHint keys="N" />
          </Button>
        </Card>
      )}
    </>
  );
}

const MARKS: Record<MemberRecord['last'][number]['state'], MarkState> = {
  approved: 'ink',
  rejected: 'refused',
  reversed: 'reversed',
};
const MARK_WORDS = {
  approved: m.leader_life_approved,
  rejected: m.leader_life_rejected,
  reversed: m.leader_life_reversed,
} as const;

/** A member's latest decisions as marks and in words; offline, those that came with the claim. */
function Record({ communityId, item }: { communityId: string; item: ReviewItem }) {
  const { member } = item;
  const query = useQuery(recordOf(communityId, member.id));
  const record = query.data;
  const { approved, rejected } = record ?? member;
  const why = record?.last.findLast(({ reason, state }) => reason !== null && state !== 'approved');
  return (
    <Card>
      <section className="member-record" aria-label={m.leader_record_of({ who: member.displayName })}>
        <h3>{m.leader_record_of({ who: member.displayName })}</h3>
        <p className="text-small text-muted">
          {record && `${m.member_level({ level: number(levelOf(record.points).level) })} · `}
          {m.leader_member_since({ date: day(record?.joinedAt ?? member.joinedAt) })}
          <br />
          {m.leader_record({ approved: number(approved), rejected: number(rejected) })}
        </p>
        {record && record.last.length > 0 && (
          <>
            <div
              className="member-record__life"
              role="img"
              aria-label={m.leader_life({ marks: record.last.map(({ state }) => MARK_WORDS[state]()).join(', ') })}
            >
              {record.last.map(({ claimId, state }) => (
                <Mark key={claimId} state={MARKS[state]} size={22} />
              ))}
            </div>
            <p className="text-tiny text-muted">
              {m.leader_life_line({ count: record.last.length, n: number(record.last.length) })}{' '}
              {why?.reason && m.leader_life_why({ task: why.task, words: why.reason })}
            </p>
          </>
        )}
        {record && record.appeals > 0 && (
          <p className="text-tiny text-muted">
            {m.leader_appeals_before({ count: record.appeals, n: number(record.appeals) })}
          </p>
        )}
        {record?.trust && (
          <details className="disclosure">
            <summary className="text-small">{m.leader_trust_label({ n: number(record.trust.score) })}</summary>
            <TrustSum trust={record.trust} />
          </details>
        )}
        {!record && isNetworkFailure(query.error) && (
          <p className="text-tiny text-muted">{m.leader_record_offline()}</p>
        )}
      </section>
    </Card>
  );
}

/** Similar answers to the same task; texts are compared with this one. */
function Similar({ communityId, item }: { communityId: string; item: ReviewItem }) {
  const similar = useQuery(similarTo(communityId, item.claim.id));
  if (isNetworkFailure(similar.error) && !similar.data)
    return <p className="text-tiny text-muted">{m.leader_similar_offline()}</p>;
  if (!similar.data || similar.data.length === 0) return null;
  return (
    <Card>
      <section className="similar-answers" aria-label={m.leader_similar()}>
        <h3>{m.leader_similar()}</h3>
        <ul className="ruled-list">
          {similar.data.map((other) => (
            <li key={other.claim.id}>
              <figure>
                <figcaption className="text-tiny text-muted">
                  {m.leader_alike({
                    who: other.displayName,
                    percent: number(Math.round(other.likeness * 100)),
                    time: whenWord(other.claim.submittedAt),
                  })}
                </figcaption>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard */}
                <blockquote className="text-small written-text" tabIndex={0}>
                  {wordsOf(other.claim.evidence) ?? m.leader_same_picture()}
                </blockquote>
              </figure>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  );
}
