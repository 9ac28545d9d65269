import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useMemo, useRef } from 'react';
import type { CommunityDetail, Dashboard } from '../../../server/contract/communities.ts';
import { lastCommunity, rememberCommunity } from '../../lib/hints.ts';
import { statusOf } from '../../lib/http.ts';
import { read, useAsOf, useUser } from '../../lib/query.ts';
import { orReload } from '../../lib/service-worker.ts';
import { useLive } from '../../lib/use-live.ts';
import { useNow } from '../../lib/use-now.ts';
import { m } from '../../paraglide/messages.js';
import { useAcknowledged } from '../../shared/commands/acknowledged.ts';
import { overlayDashboard } from '../../shared/commands/overlay.ts';
import { JoinButton } from '../../shared/communities/join-button.tsx';
import {
  isSuspendedCommunity,
  MissingCommunity,
  RefusedCommunity,
} from '../../shared/communities/missing-community.tsx';
import { Anchor, ButtonLink } from '../../ui/button.tsx';
import { useListFocus } from '../../ui/list-focus.ts';
import { Screen } from '../../ui/screen.tsx';
import { AsOf } from '../../ui/stamp.tsx';
import { Reading, Skeleton, State } from '../../ui/states.tsx';
import { CommunityPaper } from './community-paper.tsx';
import { CommunitySwitch } from './community-switch.tsx';
import { MemberToday } from './member-today.tsx';

const stays = () => false;
const MorningScreen = lazy(async () => ({
  default: (await orReload(import('../leader/morning/morning.tsx'), stays)).MorningScreen,
}));

/** A member's day in a community. `community` is its id or slug. */
export function DashboardScreen({ community }: { community: string }) {
  const reading = read('GET /api/communities/:communityId/dashboard', { communityId: community });
  const query = useQuery(reading);
  const asOf = useAsOf(reading.queryKey);
  const retry = () => query.refetch();
  const now = useNow();
  const overlay = useAcknowledged();
  const dashboard = useMemo(
    () => query.data && overlayDashboard(query.data, overlay, asOf, now),
    [query.data, overlay, asOf, now],
  );
  const isIn = dashboard !== undefined;
  const leads = dashboard?.community.role === 'leader';
  useLive(dashboard?.community.id ?? null, leads ? ['dashboard', 'review'] : ['board', 'dashboard'], isIn);
  useFocusOnceIn(isIn, !isIn && statusOf(query.error) === 403);
  useRemembered(dashboard?.community.slug, community, statusOf(query.error));
  if (dashboard === undefined)
    return (
      <Screen title={m.shell_today()}>
        <Reading
          query={query}
          forbidden={<NotAMember community={community} error={query.error} />}
          missing={<MissingCommunity />}
        >
          {() => null}
        </Reading>
      </Screen>
    );
  if (leads) return <LeaderToday dashboard={dashboard} now={now} />;
  return <MemberToday dashboard={dashboard} now={now} stamp={<AsOf at={asOf} onRetry={retry} />} />;
}

/** Leaders do not compete, so they see no member tasks. */
function LeaderToday({ dashboard, now }: { dashboard: Dashboard; now: number }) {
  const { community } = dashboard;
  const switcher = <CommunitySwitch community={community} />;
  const loading = (
    <Screen title={m.shell_today_in({ today: m.shell_today(), community: community.name })} bar={switcher}>
      <Skeleton />
    </Screen>
  );
  return (
    <Suspense fallback={loading}>
      <MorningScreen
        dashboard={dashboard}
        now={now}
        switcher={switcher}
        beside={
          <>
            <CommunityPaper dashboard={dashboard} now={now} />
            <p className="after-list">
              <Anchor
                to="/community/$communityId"
                params={{ communityId: community.slug }}
                className="text-link text-small touch-target"
              >
                {m.member_about()}
              </Anchor>
            </p>
          </>
        }
      />
    </Suspense>
  );
}

/** The pressed join button is gone, so the focus moves to the new screen. */
function useFocusOnceIn(isIn: boolean, isOut: boolean): void {
  const wasOut = useRef(false);
  useEffect(() => {
    if (isIn && wasOut.current && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    if (isIn || isOut) wasOut.current = isOut;
  }, [isIn, isOut]);
}

/** Makes this the community that the app starts in; forgets it once the member lost access. */
function useRemembered(slug: string | undefined, named: string, status: number | null): void {
  // The address is not enough: a tab may show the community of a member who has signed out.
  const user = useUser();
  useEffect(() => {
    if (user && slug !== undefined) rememberCommunity(slug);
    else if (status !== null && GONE.has(status) && lastCommunity() === named) rememberCommunity(null);
  }, [slug, user, named, status]);
}
const GONE: ReadonlySet<number> = new Set([403, 404]);

/** A 403 on the dashboard almost always means that the person has not joined yet. */
function NotAMember({ community, error }: { community: string; error: Error | null }) {
  const detail = useQuery({
    ...read('GET /api/communities/:communityId', { communityId: community }),
    enabled: statusOf(error) === 403 && !isSuspendedCommunity(error),
  });
  if (!detail.data || detail.data.role !== null) return <RefusedCommunity error={error} />;
  return <MayJoin community={detail.data} />;
}

function MayJoin({ community }: { community: CommunityDetail }) {
  // The focus moves to the control that replaces the join button.
  const around = useListFocus<HTMLDivElement>();
  return (
    <div ref={around}>
      <State
        illustration="gate"
        title={m.member_not_in({ community: community.name })}
        actions={
          <>
            <JoinButton community={community} />
            <ButtonLink kind="words" to="/community/$communityId" params={{ communityId: community.slug }}>
              {m.member_about()}
            </ButtonLink>
          </>
        }
      >
        <p>{m.member_not_in_line({ today: m.shell_today() })}</p>
      </State>
    </div>
  );
}
