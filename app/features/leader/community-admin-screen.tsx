import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CommunityAdmin } from '../../../server/contract/communities.ts';
import { useOutbox } from '../../lib/device.ts';
import { statusOf } from '../../lib/http.ts';
import { read, useAsOf } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { listing, number } from '../../ui/format.ts';
import { Screen } from '../../ui/screen.tsx';
import { Segment } from '../../ui/segment.tsx';
import { Empty, Forbidden, Reading } from '../../ui/states.tsx';
import { useDeliveries } from '../engagement/deliveries.ts';
import { knowingQueue } from '../engagement/told.ts';
import { useRefusals } from '../engagement/use-refusals.ts';
import { useSearch } from '../engagement/use-search.ts';
import { People } from './people.tsx';
import { Review } from './review.tsx';
import { viewQueue } from './review-queue.ts';
import { Tasks } from './tasks.tsx';
import '../engagement/engagement.css';
import './leader.css';

const TABS = ['review', 'tasks', 'people'] as const;
type Tab = (typeof TABS)[number];

/** What leaders and moderators of a community do: review, set tasks, see the people. `community` is its id or slug. */
export function CommunityAdminScreen({ community }: { community: string }) {
  useDeliveries();
  const reading = read('GET /api/communities/:communityId/admin', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const admin = query.data;
  return (
    <Screen
      title={admin ? m.leader_title({ community: admin.community.name }) : m.leader_tools()}
      asOf={asOf}
      onRetry={() => query.refetch()}
      back={{
        to: `/community/${admin?.community.slug ?? community}/dashboard`,
        label: m.member_back_to_today(),
      }}
    >
      <Reading
        query={query}
        forbidden={<NotLeading community={community} error={query.error} />}
        missing={
          <Empty
            illustration="gate"
            title={m.member_community_missing()}
            line={m.member_community_missing_line()}
            action={<ButtonLink to="/communities">{m.member_my_communities()}</ButtonLink>}
          />
        }
      >
        {(found) => <Tools copy={found} asOf={asOf} />}
      </Reading>
    </Screen>
  );
}

function Tools({ copy, asOf }: { copy: CommunityAdmin; asOf: number | null }) {
  const admin = useMemo(() => knowingQueue(copy, asOf), [copy, asOf]);
  const [search, setSearch] = useSearch();
  const tab = TABS.find((one) => one === search['tab']) ?? 'review';
  const outbox = useOutbox();
  useRefusals(admin.community.id);
  const waiting = viewQueue(admin.community.id, admin.queue, outbox).open.length;
  const words: Record<Tab, string> = {
    review: waiting > 0 ? m.leader_tab_review_count({ n: number(waiting) }) : m.leader_tab_review(),
    tasks: m.leader_tab_tasks(),
    people: m.leader_tab_people(),
  };
  return (
    <>
      <div className="leader-tabs">
        <Segment
          label={m.leader_tools()}
          options={TABS.map((value) => ({ value, label: words[value] }))}
          value={tab}
          onChange={(value) => setSearch({ tab: value })}
        />
      </div>
      {tab === 'review' && <Review admin={admin} />}
      {tab === 'tasks' && <Tasks admin={admin} />}
      {tab === 'people' && <People admin={admin} />}
    </>
  );
}

/** A 403: names who can let one in. */
function NotLeading({ community, error }: { community: string; error: Error | null }) {
  const detail = useQuery({
    ...read('GET /api/communities/:communityId', { communityId: community }),
    enabled: statusOf(error) === 403,
  }).data;
  return (
    <Forbidden
      title={m.leader_only()}
      line={
        detail && detail.leaders.length > 0
          ? m.leader_only_names({ who: listing(detail.leaders, 'disjunction') })
          : m.leader_only_line()
      }
      action={
        <>
          <ButtonLink to={`/community/${community}/dashboard`}>{m.member_back_to_today()}</ButtonLink>
          <ButtonLink kind="words" to={`/community/${community}`}>
            {m.member_about()}
          </ButtonLink>
        </>
      }
    />
  );
}
