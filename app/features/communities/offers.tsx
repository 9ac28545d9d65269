import './community-row.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Offer } from '../../../server/contract/imports.ts';
import { number } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { read, useUser } from '../../lib/query.ts';
import { refetchChanged } from '../../lib/refetch.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { useCommandKey } from '../../lib/use-command-key.ts';
import { m } from '../../paraglide/messages.js';
import { CommunityAvatar } from '../../ui/avatar.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card, Quote, SectionHead } from '../../ui/card.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { toast } from '../../ui/toast.tsx';

const offers = read('GET /api/user/offers');

const offerWords = ({ name, points }: Offer): string =>
  points > 0
    ? m.import_offer_points({ who: name, count: points, n: number(points) })
    : m.import_offer_none({ who: name });

/** Communities in which an import offers the member a place, if they join. Nothing when there are none. */
export function Offers({ isComplete }: { isComplete: boolean }) {
  const { data = [] } = useQuery(offers);
  const list = useListFocus<HTMLElement>();
  if (data.length === 0) return null;
  return (
    <section ref={list}>
      <SectionHead title={m.import_offers()} />
      <div className="stack">
        <p className="text-small text-muted">{m.import_offers_line()}</p>
        <ul className="community-grid">
          {data.map((offer) => (
            <li key={offer.communityId}>
              <OfferCard offer={offer} isComplete={isComplete} />
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function OfferCard({ offer, isComplete }: { offer: Offer; isComplete: boolean }) {
  const { communityId, name } = offer;
  const client = useQueryClient();
  const keyFor = useCommandKey();
  const disabledReason = useOnline() ? null : m.leader_needs_connection();
  const answer = useMutation({
    mutationFn: async (accepts: boolean) => {
      const request = { params: { placeId: communityId }, idempotencyKey: keyFor(accepts) };
      if (accepts) await call('POST /api/user/offers/:placeId', request);
      else await call('DELETE /api/user/offers/:placeId', request);
    },
    onSuccess: async (_, accepts) => {
      const title = accepts ? m.import_offer_joined({ who: name }) : m.import_offer_declined({ who: name });
      toast({ icon: accepts ? 'check' : 'info', title });
      client.setQueryData(offers.queryKey, (shown) => shown?.filter((one) => one.communityId !== communityId));
      await refetchChanged(client);
    },
  });
  return (
    <Card className="community-card">
      <CommunityAvatar name={name} size={48} />
      <div className="flex-grow">
        <h3>{name}</h3>
        <p className="text-small">{offerWords(offer)}</p>
        {answer.error !== null && <Quote lead={m.member_not_done()}>{errorText(answer.error)}</Quote>}
      </div>
      <div className="community-card__end community-card__both">
        {isComplete ? (
          <Button busy={answer.isPending} disabledReason={disabledReason} onClick={() => answer.mutate(true)}>
            {m.import_offer_join({ who: name })}
          </Button>
        ) : (
          <ButtonLink to="/community-selector">{m.member_join_complete()}</ButtonLink>
        )}
        <Button
          kind="words"
          busy={answer.isPending}
          disabledReason={disabledReason}
          onClick={() => answer.mutate(false)}
        >
          {m.import_offer_decline()}
        </Button>
      </div>
    </Card>
  );
}

/** The member's offer, on the community's own page. */
export function OfferLine({ communityId }: { communityId: string }) {
  const user = useUser();
  const { data = [] } = useQuery({ ...offers, enabled: user !== null });
  const offer = data.find((one) => one.communityId === communityId);
  return offer ? <Quote lead={m.import_offers()}>{offerWords(offer)}</Quote> : null;
}
