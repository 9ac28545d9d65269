import {
  type AsyncRouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
  useLocation,
  useParams,
} from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GATED_PAGES } from '../server/contract/pages.ts';
import { START_PATH } from '../server/contract/start-path.ts';
import type { GatedPage } from './features/gate/gate.ts';
import { GateScreen } from './features/gate/gate-screen.tsx';
import { LandingScreen } from './features/landing/landing-screen.tsx';
import type { LegalPage } from './features/legal/policies.ts';
import type { LogSearch } from './features/ops/logs/search.ts';
import { CrashPanel, reportCrash } from './features/shell/crash.tsx';
import { RootFrame } from './features/shell/root-frame.tsx';
import { startOf } from './features/shell/start-path.ts';
import { connection } from './lib/browser.ts';
import { lastCommunity, wasSignedIn } from './lib/hints.ts';
import { PRODUCT_AI_PATH } from './lib/product.ts';
import { type AccountRoom, ADDRESSES, type LeaderRoom, type LogRoom, texts } from './lib/rooms.ts';
import { orReload } from './lib/service-worker.ts';
import { LoaderScreen } from './ui/loader-screen.tsx';
import { NotFoundScreen } from './ui/not-found-screen.tsx';
import { Skeleton } from './ui/states.tsx';

type ScreenOf<T> = T[Extract<keyof T, `${string}Screen`>];
/**
 * A lazily loaded screen: its module's export of this name. If the chunk is gone (deploys under an open tab), the page
 * reloads into the new build.
 */
const lazyScreen = <T extends object>(load: () => Promise<T>) =>
  lazyRouteComponent(async () => {
    const [, screen] =
      Object.entries(await orReload(load(), isOnTheWay)).find(([name]) => name.endsWith('Screen')) ?? [];
    return { default: screen as ScreenOf<T> };
  });
const isOnTheWay = (): boolean => router.state.isLoading;
const Restricted = lazyScreen(() => import('./features/gate/restricted-screen.tsx'));
const Legal = lazyScreen(() => import('./features/legal/legal-screen.tsx'));
const Community = lazyScreen(() => import('./features/communities/community-screen.tsx'));
const Dashboard = lazyScreen(() => import('./features/dashboard/dashboard-screen.tsx'));
const Calculators = lazyScreen(() => import('./features/calculators/calculators-screen.tsx'));
const CommunityAdmin = lazyScreen(() => import('./features/leader/community-admin-screen.tsx'));

const Settings = lazyScreen(() => import('./features/settings/settings-screen.tsx'));

/** This build's pages behind the fallback of section 2. */
const gatedScreens: Partial<Record<GatedPage, AsyncRouteComponent<object>>> = {
  'community-selector': lazyScreen(() => import('./features/communities/community-selector-screen.tsx')),
  'new-user-exploration': lazyScreen(() => import('./features/onboarding/new-user-exploration-screen.tsx')),
  'platform-exploration': lazyScreen(() => import('./features/onboarding/platform-exploration-screen.tsx')),
  profile: lazyScreen(() => import('./features/profile/profile-screen.tsx')),
  'ai-assistant': lazyScreen(() => import('./features/assistant/assistant-screen.tsx')),
  leaderboard: lazyScreen(() => import('./features/leaderboard/leaderboard-screen.tsx')),
  'profile-accounts': lazyScreen(() => import('./features/profile/profile-accounts-screen.tsx')),
};

const root = createRootRoute({
  component: () => <RootFrame isGated={isGated} built={(page) => gatedScreens[page] !== undefined} />,
  notFoundComponent: NotFoundScreen,
});
/** A page at a path; `search` parses its query. */
const drawn = <const At extends string, Search extends object = Record<never, never>>(
  path: At,
  component: RouteComponent,
  search?: (search: Record<string, unknown>) => Search,
) => createRoute({ getParentRoute: () => root, path, component, ...(search && { validateSearch: search }) });
/** A page with its own lazy screen. */
const page = <const At extends string, T extends object, Search extends object = Record<never, never>>(
  path: At,
  load: () => Promise<T>,
  search?: (search: Record<string, unknown>) => Search,
) => drawn(path, lazyScreen(load) as RouteComponent, search);
/** A page that renders a lazy screen, which is loaded before anything is rendered, as for its own route. */
const preloading = (screen: Pick<RouteComponent, 'preload'>, Page: () => ReactNode): RouteComponent =>
  Object.assign(Page, { preload: async () => screen.preload?.() });
const legalPage = (name: LegalPage) => preloading(Legal, () => <Legal page={name} />);

/** The community in the address, under either parameter name. */
function useCommunity(): string {
  const { communityId, communityName = '' } = useParams({ strict: false });
  return communityId ?? communityName;
}
const CommunityPage = preloading(Community, function CommunityPage() {
  return <Community community={useCommunity()} />;
});
const DashboardPage = preloading(Dashboard, function DashboardPage() {
  const community = useCommunity();
  return <Dashboard key={community} community={community} />;
});
const CommunityAdminPage = preloading(CommunityAdmin, function CommunityAdminPage() {
  const community = useCommunity();
  return <CommunityAdmin key={community} community={community} />;
});
/** '/' and every path without its own route: section 2's fallback, by state. */
function Fallback() {
  const { pathname } = useLocation();
  return <GateScreen key={pathname} screens={gatedScreens} landing={LandingScreen} restricted={Restricted} />;
}
/** The gate's screen loads while the user query is pending. */
const gated = <const At extends (typeof GATED_PAGES)[number] | '/$', Search extends object = Record<never, never>>(
  path: At,
  search?: (search: Record<string, unknown>) => Search,
) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: Fallback,
    loader: () => gatedScreens[path.slice(1) as GatedPage]?.preload?.(),
    ...(search && { validateSearch: search }),
  });

const admin = drawn('/community/$communityId/admin', CommunityAdminPage);
const namedAdmin = drawn('/$communityName/admin', CommunityAdminPage);
const logs = page(
  '/admin/client-logs',
  () => import('./features/ops/logs/client-logs-screen.tsx'),
  texts<keyof LogSearch>(),
);
const accounts = page(
  '/admin/account-management',
  () => import('./features/ops/account-management-screen.tsx'),
  texts<'person' | 'community' | 'search' | 'filter'>(),
);
/** A page's rooms by name, which is also their path, from the file that loads them. */
const roomsOf =
  <Name extends string>(load: () => Promise<{ loadRoom: (name: Name) => Promise<{ RoomScreen: () => ReactNode }> }>) =>
  (name: Name) => ({
    component: lazyScreen(async () => (await load()).loadRoom(name)),
    pendingComponent: Skeleton,
  });
const leaderRoom = roomsOf<LeaderRoom>(() => import('./features/leader/leader-rooms.tsx'));
const accountRoomOf = roomsOf<AccountRoom>(() => import('./features/ops/account-rooms.tsx'));
const logRoomOf = roomsOf<LogRoom>(() => import('./features/ops/logs/log-rooms.tsx'));
/** The leader tools at one of their two addresses. The first one also has the page's own address. */
function leaderRooms(getParentRoute: () => typeof admin) {
  const at = <
    const Name extends LeaderRoom,
    Search extends object = Record<never, never>,
    const At extends string = Name,
  >(
    name: Name,
    validateSearch: (search: Record<string, unknown>) => Search = texts<never>() as never,
    path: At = name as string as At,
  ) => createRoute({ getParentRoute, path, validateSearch, ...leaderRoom(name) });
  const review = texts<'show' | 'kind' | 'only' | 'task' | 'search'>();
  return [
    at('review', review, '/'),
    at('review', review),
    at('tasks', texts<'edit'>()),
    at('event', ({ task }) => ({ task: String(task) })),
    at('quizzes', texts<'pack'>()),
    at('members', texts<'role' | 'order' | 'search'>()),
    at('seasons'),
    at('announcements'),
    at('analytics', texts<'days'>()),
    at('imports'),
    at('connections'),
    at('audit', texts<'action'>()),
    at('settings'),
  ] as const;
}
const accountRoom = <const Name extends AccountRoom, const At extends string = Name>(
  name: Name,
  path: At = name as string as At,
) => createRoute({ getParentRoute: () => accounts, path, ...accountRoomOf(name) });
const logRoom = <const Name extends LogRoom, const At extends string = Name>(
  name: Name,
  path: At = name as string as At,
) => createRoute({ getParentRoute: () => logs, path, ...logRoomOf(name) });
// Route lists are built before `addChildren`: a route created inside its brackets makes every link untyped.
const accountRooms = [
  accountRoom('people', '/'),
  accountRoom('people'),
  accountRoom('communities'),
  accountRoom('applications'),
  accountRoom('partnerships'),
  accountRoom('person'),
  accountRoom('community'),
] as const;
const logRooms = [
  logRoom('issues', '/'),
  logRoom('issues'),
  logRoom('entries'),
  logRoom('tail'),
  logRoom('fleet'),
  logRoom('rules'),
  logRoom('timeline'),
  logRoom('issue'),
  logRoom('entry'),
] as const;
const adminBranch = admin.addChildren(leaderRooms(() => admin));
/** A community's other address. No link of ours uses it, so the types omit its rooms. */
const namedAdminBranch = namedAdmin.addChildren(leaderRooms(() => namedAdmin as never)) as unknown as typeof namedAdmin;
const accountsBranch = accounts.addChildren(accountRooms);
const logsBranch = logs.addChildren(logRooms);

const routes = [
  gated('/'),
  gated('/community-selector', texts<'x'>()),
  gated('/new-user-exploration'),
  gated('/platform-exploration'),
  gated('/profile'),
  gated('/leaderboard', texts<'community' | 'period' | 'season'>()),
  gated('/ai-assistant'),
  gated('/profile-accounts', texts<'x'>()),
  gated('/$'),
  createRoute({
    getParentRoute: () => root,
    path: START_PATH,
    beforeLoad: () => {
      throw redirect({ ...startOf(lastCommunity(), wasSignedIn()), replace: true });
    },
  }),
  page('/learn-more', () => import('./features/guides/learn-more-screen.tsx')),
  page('/how-to-use', () => import('./features/guides/how-to-use-screen.tsx')),
  page(PRODUCT_AI_PATH, () => import('./features/assistant/product-ai-screen.tsx')),
  page('/ai-tools', () => import('./features/tools/tools-screen.tsx'), texts<'tool'>()),
  drawn('/community-guidelines', legalPage('guidelines')),
  drawn('/privacy-policy', legalPage('privacy')),
  drawn('/terms', legalPage('terms')),
  drawn('/cookie-policy', legalPage('cookies')),
  page('/no-communities', () => import('./features/onboarding/no-communities-screen.tsx'), texts<'invite'>()),
  page('/i/$inviteCode', () => import('./features/onboarding/invite-screen.tsx')),
  page('/channel-removed', () => import('./features/onboarding/channel-removed-screen.tsx')),
  page('/your-data', () => import('./features/your-data/your-data-screen.tsx')),
  drawn('/settings', Settings),
  drawn('/settings/$room', Settings),
  page('/logout', () => import('./features/onboarding/logout-screen.tsx')),
  page('/communities', () => import('./features/communities/communities-screen.tsx')),
  page(
    '/explore-communities',
    () => import('./features/communities/explore-screen.tsx'),
    texts<'q' | 'tag' | 'language' | 'size' | 'order'>(),
  ),
  drawn('/ai-defi-tools', Calculators),
  drawn('/ai-defi-tools/$calculator', Calculators, (search) => search as Record<string, string>),
  drawn('/community/$communityId', CommunityPage),
  drawn('/community/$communityId/dashboard', DashboardPage, texts<'task'>()),
  drawn('/$communityName/dashboard', DashboardPage, texts<'task'>()),
  adminBranch,
  namedAdminBranch,
  logsBranch,
  accountsBranch,
  page('/community-leader-signup', () => import('./features/onboarding/leader-signup-screen.tsx')),
  page('/community-leader-wizard', () => import('./features/leader/wizard/wizard-screen.tsx')),
  page(
    '/engagement-complete',
    () => import('./features/claims/engagement-complete-screen.tsx'),
    texts<'community' | 'task'>(),
  ),
  page('/twitter-return', () => import('./features/profile/twitter-return-screen.tsx')),
  page('/telegram-return', () => import('./features/mini/telegram-return-screen.tsx')),
  page('/twitter-demo', () => import('./features/x-demo/twitter-demo-screen.tsx')),
  page('/partnerships', () => import('./features/partnerships/partnerships-screen.tsx')),
  page('/web3-quiz', () => import('./features/quiz/quiz-screen.tsx'), texts<'practice' | 'attempt'>()),
  page('/share', () => import('./features/share/share-screen.tsx'), texts<'title' | 'text' | 'url' | 'lost'>()),
  page('/demo', () => import('./features/demo/demo-screen.tsx'), texts<'page'>()),
  page('/admin', () => import('./features/ops/overview/overview-screen.tsx')),
  page(
    '/admin/analytics',
    () => import('./features/ops/analytics/analytics-screen.tsx'),
    texts<'days' | 'from' | 'to' | 'community'>(),
  ),
  page(
    '/admin/communities',
    () => import('./features/ops/communities/communities-desk-screen.tsx'),
    texts<'community' | 'search' | 'filter'>(),
  ),
  page(
    '/admin/partnerships',
    () => import('./features/ops/partnerships/partnerships-desk-screen.tsx'),
    texts<'search' | 'filter'>(),
  ),
  page('/admin/announcements', () => import('./features/ops/announcements/announcements-screen.tsx')),
  page(
    '/admin/audit',
    () => import('./features/ops/audit/audit-screen.tsx'),
    texts<'search' | 'who' | 'act' | 'from' | 'to'>(),
  ),
  page('/admin/first', () => import('./features/ops/first-admin-screen.tsx')),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(routes),
  ...ADDRESSES,
  defaultPreload: connection()?.saveData ? false : 'intent',
  scrollRestoration: true,
  defaultPendingComponent: LoaderScreen,
  defaultErrorComponent: CrashPanel,
  defaultOnCatch: (error) => reportCrash(error, null),
  defaultNotFoundComponent: NotFoundScreen,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** Whether the gate decides this path, rather than a page that is the same for everyone. */
export const isGated = (path: string): boolean => {
  const { routeId } = router.matchRoutes(path, {}).at(-1) ?? {};
  const { component } = router.routesById[routeId ?? '/$'].options;
  return routeId === '__root__' || component === Fallback;
};
