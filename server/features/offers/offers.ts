import type { ISql, TransactionSql } from 'postgres';
import { notFound } from '../../base/http-error.ts';
import type { CommunitySummary } from '../../contract/community.ts';
import { OFFERS_SHOWN } from '../../contract/import-limits.ts';
import type { Offer } from '../../contract/imports.ts';
import { isId } from '../../domain/ids.ts';
import { joinCommunity } from '../communities/membership.ts';
import { closeOffer } from '../imports/closed-offers.ts';
import { byId, byName, byX, isFresh } from '../imports/match.ts';

type OfferScope = { userId: string; now: Date };

/**
 * Communities that imported a person who has not joined, latest first, with the waiting points. A name or X handle
 * alone reveals no private community. A person who left, was removed or declined gets no offer.
 */
export async function listOffers(sql: ISql, { userId, now }: OfferScope): Promise<Offer[]> {
  return await sql<Offer[]>`
    with u as (select id, telegram_user_id, telegram_username, twitter_username from users where id = ${userId}),
    found as (
      select p.community_id, p.import_id, p.line, p.points, 1 as nth from imported_people p, u
      where p.state = 'waiting' and ${byId(sql)}
      union all
      select p.community_id, p.import_id, p.line, p.points, 2 from imported_people p
      join communities c on c.id = p.community_id and c.visibility = 'public', u
      where p.state = 'waiting' and ${byName(sql)} and ${isFresh(sql, now)}
      union all
      select p.community_id, p.import_id, p.line, p.points, 3 from imported_people p
      join communities c on c.id = p.community_id and c.visibility = 'public', u
      where p.state = 'waiting' and ${byX(sql)}
    ), chosen as (
      select distinct on (import_id) import_id, community_id, points from found order by import_id, nth, line
    )
    select c.id as "communityId", c.slug, c.name, sum(chosen.points)::float8 as points
    from chosen join communities c on c.id = chosen.community_id and c.status = 'active'
    join imports i on i.id = chosen.import_id
    where not exists (select from community_members m where m.community_id = c.id and m.user_id = ${userId})
      and not exists (select from closed_offers o where o.community_id = c.id and o.user_id = ${userId})
      and not exists (select from imported_people q where q.import_id = i.id and q.user_id = ${userId})
    group by c.id order by max(i.created_at) desc, c.id limit ${OFFERS_SHOWN}`;
}

async function isOffered(sql: ISql, scope: OfferScope, communityId: string): Promise<boolean> {
  return isId(communityId) && (await listOffers(sql, scope)).some((offer) => offer.communityId === communityId);
}

/**
 * Accepts an offer, also of a private community; the points follow within seconds. `admit` may reject a person whom the
 * community's chats do not admit. Throws 404 `NOT_FOUND` for a community that is not offered.
 */
export async function acceptOffer(
  tx: TransactionSql,
  scope: OfferScope,
  communityId: string,
  admit: () => Promise<void> = async () => undefined,
): Promise<CommunitySummary> {
  if (!(await isOffered(tx, scope, communityId))) throw notFound('community');
  await admit();
  return joinCommunity(tx, { ...scope, communityId, invited: true });
}

/** Declines an offer; the community is not told, and its lines wait like all others. */
export async function declineOffer(tx: TransactionSql, scope: OfferScope, communityId: string): Promise<void> {
  if (await isOffered(tx, scope, communityId)) await closeOffer(tx, { ...scope, communityId });
}
