import './ui/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, Fragment, type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { userLoaded } from './features/gate/use-auth-state.ts';
import { watchInstall } from './features/install/install.ts';
import { CrashBoundary } from './features/shell/crash.tsx';
import { reportMismatch } from './features/shell/hydration.ts';
import { MemberFrame } from './features/shell/root-frame.tsx';
import { isDemo } from './lib/browser.ts';
import { wasSignedIn } from './lib/hints.ts';
import { followSystem } from './lib/theme.ts';
import './lib/news.ts';
import { part } from './lib/part.ts';
// Plural words need one function of it. Alone it would lie in a script of other screens, for the drawn pages too.
import './paraglide/registry.js';
import { createQueryClient, userQuery } from './lib/query.ts';
import { isGated, router } from './router.tsx';

watchInstall();
followSystem();

const queryClient = createQueryClient();
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
/** The whole app. `Around`: what stands around it, in the demo. */
const appIn = (Around: ComponentType<{ children: ReactNode }>) => (
  <StrictMode>
    <CrashBoundary>
      <QueryClientProvider client={queryClient}>
        <Around>
          <RouterProvider router={router} />
        </Around>
      </QueryClientProvider>
    </CrashBoundary>
  </StrictMode>
);
/**
 * What came drawn stands until the app can draw as much. Where the app draws something else, React draws that part anew,
 * and ops hear of it.
 */
async function takeOver(drawn: HTMLElement): Promise<void> {
  void queryClient.prefetchQuery(userQuery);
  await Promise.all([router.load(), isGated(location.pathname) && userLoaded(queryClient)]);
  hydrateRoot(drawn, appIn(Fragment), { onRecoverableError: reportMismatch });
}
/** What the device keeps of an app's parts is there within this, on a slow phone too. */
const PARTS_WITHIN_MS = 250;
/**
 * React shows what stands for a missing part for 300 ms at least, however soon that comes: parts that the device has are
 * waited for, parts that the network must bring are not.
 */
async function draw(empty: HTMLElement): Promise<void> {
  // Before anything is asked for, and before the first look at the address.
  const Around = isDemo
    ? (await part(import('./features/demo/open.tsx'))).openDemo(router, queryClient)
    : location.pathname === '/mini'
      ? await (await part(import('./features/mini/open.tsx'))).openMini(router, queryClient)
      : Fragment;
  void queryClient.prefetchQuery(userQuery);
  const parts = Promise.allSettled([router.load(), wasSignedIn() && MemberFrame.preload?.()]);
  // What came drawn of the demo stands as long as it takes.
  await (isDemo ? parts : Promise.race([parts, pause(PARTS_WITHIN_MS)]));
  createRoot(empty).render(appIn(Around));
}
// The demo's page is drawn as what is to come, which the app then stands in the place of.
const drawn = root.hasChildNodes() && !isDemo ? takeOver(root) : draw(root);
document.documentElement.dataset['started'] = '';

// A moved focus tells a screen reader that another screen is there.
router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.getElementById('main')?.focus({ preventScroll: true });
});

/** After the app has drawn, or could not in this time: everything that draws nothing. It would only crowd what does. */
const BEHIND_AFTER_MS = 3_000;
function startBehind(): void {
  void part(import('./features/shell/start.ts')).then(({ start }) => start(queryClient, router));
}
function startBehindWhenIdle(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(startBehind, { timeout: 1_000 });
  else setTimeout(startBehind, 200);
}
// In the demo nothing may begin before its network is its own.
void (isDemo ? drawn : Promise.race([drawn, pause(BEHIND_AFTER_MS)])).finally(startBehindWhenIdle);
