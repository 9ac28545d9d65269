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
import { START_PATH } from '../server/contract/start-path.ts';
import type { GatedPage } from './features/gate/gate.ts';
import { GateScreen } from './features/gate/gate-screen.tsx';
import { LandingScreen } from './features/landing/landing-screen.tsx';
import type { LegalPage } from './features/legal/policies.ts';
import { CrashPanel, reportCrash } from './features/shell/crash.tsx';
import { RootFrame } from './features/shell/root-frame.tsx';
import { startPath } from './features/shell/start-path.ts';
import { lastCommunity, wasSignedIn } from './lib/hints.ts';
import { product } from './lib/product.ts';
import { orReload } from './lib/service-worker.ts';
import { LoaderScreen } from './ui/loader-screen.tsx';
import { NotFoundScreen } from './ui/not-found-screen.tsx';

/** A screen in a file of its own. Where that file is gone (deploys under an open tab), the page reloads into the new build. */
function lazyScreen<T extends Record<string, unknown>, Name extends keyof T & string>(
  load: () => Promise<T>,
  name: Name,
) {
  return lazyRouteComponent<T, Name>(() => orReload(load(), isOnTheWay), name);
}
const isOnTheWay = (): boolean => router.state.isLoading;
const Restricted = lazyScreen(() => import('./features/gate/restricted-screen.tsx'), 'RestrictedScreen');
const Legal = lazyScreen(() => import('./features/legal/legal-screen.tsx'), 'LegalScreen');
const Community = lazyScreen(() => import('./features/communities/community-screen.tsx'), 'CommunityScreen');
const Dashboard = lazyScreen(() => import('./features/dashboard/dashboard-screen.tsx'), 'DashboardScreen');
const Calculators = lazyScreen(() => import('./features/calculators/calculators-screen.tsx'), 'CalculatorsScreen');
const CommunityAdmin = lazyScreen(() => import('./features/leader/community-admin-screen.tsx'), 'CommunityAdminScreen');

const Settings = lazyScreen(() => import('./features/settings/settings-screen.tsx'), 'SettingsScreen');

/** Pages behind the fallback of section 2 that this build has. */
const gatedScreens: Partial<Record<GatedPage, AsyncRouteComponent<object>>> = {
  'community-selector': lazyScreen(
    () => import('./features/communities/community-selector-screen.tsx'),
    'CommunitySelectorScreen',
  ),
  'new-user-exploration': lazyScreen(
    () => import('./features/onboarding/new-user-exploration-screen.tsx'),
    'NewUserExplorationScreen',
  ),
  'platform-exploration': lazyScreen(
    () => import('./features/onboarding/platform-exploration-screen.tsx'),
    'PlatformExplorationScreen',
  ),
  profile: lazyScreen(() => import('./features/profile/profile-screen.tsx'), 'ProfileScreen'),
  'ai-assistant': lazyScreen(() => import('./features/assistant/assistant-screen.tsx'), 'AssistantScreen'),
  leaderboard: lazyScreen(() => import('./features/leaderboard/leaderboard-screen.tsx'), 'LeaderboardScreen'),
  'profile-accounts': lazyScreen(
    () => import('./features/profile/profile-accounts-screen.tsx'),
    'ProfileAccountsScreen',
  ),
};

const root = createRootRoute({
  component: () => <RootFrame isGated={isGated} built={(page) => gatedScreens[page] !== undefined} />,
  notFoundComponent: NotFoundScreen,
});
const page = (path: string, component: RouteComponent) => createRoute({ getParentRoute: () => root, path, component });
/** A page that draws a lazy screen: it is fetched like that of a route of its own, before anything is drawn. */
const of = (screen: Pick<RouteComponent, 'preload'>, Page: () => ReactNode): RouteComponent =>
  Object.assign(Page, { preload: async () => screen.preload?.() });
const legalPage = (name: LegalPage) => of(Legal, () => <Legal page={name} />);

/** The community that the address names, whatever the pattern calls it. */
function useCommunity(): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params['communityId'] ?? params['communityName'] ?? '';
}
const CommunityPage = of(Community, function CommunityPage() {
  return <Community community={useCommunity()} />;
});
const DashboardPage = of(Dashboard, function DashboardPage() {
  const community = useCommunity();
  return <Dashboard key={community} community={community} />;
});
const CommunityAdminPage = of(CommunityAdmin, function CommunityAdminPage() {
  const community = useCommunity();
  return <CommunityAdmin key={community} community={community} />;
});
/** '/' and every path without a route of its own: section 2's fallback, by state. */
function Fallback() {
  const { pathname } = useLocation();
  return <GateScreen key={pathname} screens={gatedScreens} landing={LandingScreen} restricted={Restricted} />;
}
/** The gate's screen is fetched while it is still asked who wants to see it. */
const gated = (path: '/' | '/$') =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: Fallback,
    loader: ({ location: { pathname } }) => gatedScreens[pathname.slice(1) as GatedPage]?.preload?.(),
  });

const routes = [
  gated('/'),
  gated('/$'),
  createRoute({
    getParentRoute: () => root,
    path: START_PATH,
    beforeLoad: () => {
      throw redirect({ to: startPath(lastCommunity(), wasSignedIn()), replace: true });
    },
  }),
  page(
    '/learn-more',
    lazyScreen(() => import('./features/guides/learn-more-screen.tsx'), 'LearnMoreScreen'),
  ),
  page(
    '/how-to-use',
    lazyScreen(() => import('./features/guides/how-to-use-screen.tsx'), 'HowToUseScreen'),
  ),
  page(
    `/${product.slug}-ai`,
    lazyScreen(() => import('./features/assistant/product-ai-screen.tsx'), 'ProductAiScreen'),
  ),
  page(
    '/ai-tools',
    lazyScreen(() => import('./features/tools/tools-screen.tsx'), 'ToolsScreen'),
  ),
  page('/community-guidelines', legalPage('guidelines')),
  page('/privacy-policy', legalPage('privacy')),
  page('/terms', legalPage('terms')),
  page('/cookie-policy', legalPage('cookies')),
  page(
    '/no-communities',
    lazyScreen(() => import('./features/onboarding/no-communities-screen.tsx'), 'NoCommunitiesScreen'),
  ),
  page(
    '/i/$inviteCode',
    lazyScreen(() => import('./features/onboarding/invite-screen.tsx'), 'InviteScreen'),
  ),
  page(
    '/channel-removed',
    lazyScreen(() => import('./features/onboarding/channel-removed-screen.tsx'), 'ChannelRemovedScreen'),
  ),
  page(
    '/your-data',
    lazyScreen(() => import('./features/your-data/your-data-screen.tsx'), 'YourDataScreen'),
  ),
  page('/settings', Settings),
  page('/settings/$room', Settings),
  page(
    '/logout',
    lazyScreen(() => import('./features/onboarding/logout-screen.tsx'), 'LogoutScreen'),
  ),
  page(
    '/communities',
    lazyScreen(() => import('./features/communities/communities-screen.tsx'), 'CommunitiesScreen'),
  ),
  page(
    '/explore-communities',
    lazyScreen(() => import('./features/communities/explore-screen.tsx'), 'ExploreScreen'),
  ),
  page('/ai-defi-tools', Calculators),
  page('/ai-defi-tools/$calculator', Calculators),
  page('/community/$communityId', CommunityPage),
  page('/community/$communityId/dashboard', DashboardPage),
  page('/community/$communityId/admin', CommunityAdminPage),
  page('/$communityName/dashboard', DashboardPage),
  page('/$communityName/admin', CommunityAdminPage),
  page(
    '/community-leader-signup',
    lazyScreen(() => import('./features/onboarding/leader-signup-screen.tsx'), 'LeaderSignupScreen'),
  ),
  page(
    '/community-leader-wizard',
    lazyScreen(() => import('./features/leader/wizard/wizard-screen.tsx'), 'WizardScreen'),
  ),
  page(
    '/engagement-complete',
    lazyScreen(() => import('./features/claims/engagement-complete-screen.tsx'), 'EngagementCompleteScreen'),
  ),
  page(
    '/twitter-return',
    lazyScreen(() => import('./features/profile/twitter-return-screen.tsx'), 'TwitterReturnScreen'),
  ),
  page(
    '/telegram-return',
    lazyScreen(() => import('./features/mini/telegram-return-screen.tsx'), 'TelegramReturnScreen'),
  ),
  page(
    '/twitter-demo',
    lazyScreen(() => import('./features/x-demo/twitter-demo-screen.tsx'), 'TwitterDemoScreen'),
  ),
  page(
    '/partnerships',
    lazyScreen(() => import('./features/partnerships/partnerships-screen.tsx'), 'PartnershipsScreen'),
  ),
  page(
    '/web3-quiz',
    lazyScreen(() => import('./features/quiz/quiz-screen.tsx'), 'QuizScreen'),
  ),
  page(
    '/share',
    lazyScreen(() => import('./features/share/share-screen.tsx'), 'ShareScreen'),
  ),
  page(
    '/demo',
    lazyScreen(() => import('./features/demo/demo-screen.tsx'), 'DemoScreen'),
  ),
  page(
    '/admin',
    lazyScreen(() => import('./features/ops/overview/overview-screen.tsx'), 'OverviewScreen'),
  ),
  page(
    '/admin/analytics',
    lazyScreen(() => import('./features/ops/analytics/analytics-screen.tsx'), 'AnalyticsScreen'),
  ),
  page(
    '/admin/account-management',
    lazyScreen(() => import('./features/ops/account-management-screen.tsx'), 'AccountManagementScreen'),
  ),
  page(
    '/admin/communities',
    lazyScreen(() => import('./features/ops/communities/communities-desk-screen.tsx'), 'CommunitiesDeskScreen'),
  ),
  page(
    '/admin/partnerships',
    lazyScreen(() => import('./features/ops/partnerships/partnerships-desk-screen.tsx'), 'PartnershipsDeskScreen'),
  ),
  page(
    '/admin/announcements',
    lazyScreen(() => import('./features/ops/announcements/announcements-screen.tsx'), 'AnnouncementsScreen'),
  ),
  page(
    '/admin/audit',
    lazyScreen(() => import('./features/ops/audit/audit-screen.tsx'), 'AuditScreen'),
  ),
  page(
    '/admin/first',
    lazyScreen(() => import('./features/ops/first-admin-screen.tsx'), 'FirstAdminScreen'),
  ),
  page(
    '/admin/client-logs',
    lazyScreen(() => import('./features/ops/logs/client-logs-screen.tsx'), 'ClientLogsScreen'),
  ),
];

/** Query values stay the text that stands in the address: a code of digits is no number. */
const parseSearch = (text: string): Record<string, string> => Object.fromEntries(new URLSearchParams(text));
function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) query.set(name, String(value));
  return query.size > 0 ? `?${query}` : '';
}

export const router = createRouter({
  routeTree: root.addChildren(routes),
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingComponent: LoaderScreen,
  defaultErrorComponent: CrashPanel,
  defaultOnCatch: (error) => reportCrash(error, null),
  defaultNotFoundComponent: NotFoundScreen,
});

/** Whether no route of its own answers this path. */
export function isGated(path: string): boolean {
  const last = router.matchRoutes(path, {}).at(-1);
  return last === undefined || last.routeId === '/' || last.routeId === '/$' || last.routeId === '__root__';
}
