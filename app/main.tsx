import './ui/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ComponentType, Fragment, type ReactNode, StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { userLoaded } from './features/gate/use-auth-state.ts';
import { watchInstall } from './features/install/install.ts';
import { CrashBoundary, reportMismatch } from './features/shell/crash.tsx';
import { MemberFrame } from './features/shell/root-frame.tsx';
import { isDemo } from './lib/browser.ts';
import { wasSignedIn } from './lib/hints.ts';
import { followSystem } from './lib/theme.ts';
import './lib/news.ts';
import { part } from './lib/part.ts';
// Plural messages need one function of it. Without this import it would be in a chunk of other screens, which
// pre-rendered pages would load too.
import './paraglide/registry.js';
import { createQueryClient, userQuery } from './lib/query.ts';
import { isGated, router } from './router.tsx';

watchInstall();
followSystem();

const queryClient = createQueryClient();
const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const root = document.getElementById('root');
if (!root) throw new Error('The page has no place for the app');
/** The whole app. `Around`: the demo's frame. */
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
/** The pre-rendered page stays until the app can render as much. Any difference is logged for operators. */
async function takeOver(drawn: HTMLElement): Promise<void> {
  void queryClient.prefetchQuery(userQuery);
  await Promise.all([router.load(), isGated(location.pathname) && userLoaded(queryClient)]);
  hydrateRoot(drawn, appIn(Fragment), { onRecoverableError: reportMismatch });
}
/** Chunks that the device has are loaded within this time, even on a slow phone. */
const PARTS_WITHIN_MS = 250;
/**
 * React shows a missing chunk's fallback for at least 300 ms, however soon it loads. So rendering waits for chunks on
 * the device, but not for those from the network.
 */
async function draw(empty: HTMLElement): Promise<void> {
  // Before the first request, and before the router reads the address.
  const Around = isDemo
    ? (await part(import('./features/demo/open.tsx'))).openDemo(router, queryClient)
    : location.pathname === '/mini'
      ? await (await part(import('./features/mini/open.tsx'))).openMini(router, queryClient)
      : Fragment;
  void queryClient.prefetchQuery(userQuery);
  const parts = Promise.allSettled([router.load(), wasSignedIn() && MemberFrame.preload?.()]);
  // The demo's pre-rendered page stays as long as needed.
  await (isDemo ? parts : Promise.race([parts, pause(PARTS_WITHIN_MS)]));
  createRoot(empty).render(appIn(Around));
}
// The demo's pre-rendered page is a placeholder that the app replaces.
const drawn = root.hasChildNodes() && !isDemo ? takeOver(root) : draw(root);
document.documentElement.dataset['started'] = '';

// Moving the focus tells a screen reader that another screen is shown. The router restores scroll positions, not focus.
router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.getElementById('main')?.focus({ preventScroll: true });
});

/** Everything without visible output starts after the app has rendered, or after this time, so it does not compete. */
const BEHIND_AFTER_MS = 3_000;
function startBehind(): void {
  void part(import('./features/shell/start.ts')).then(({ start }) => start(queryClient, router));
}
function startBehindWhenIdle(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(startBehind, { timeout: 1_000 });
  else setTimeout(startBehind, 200);
}
// In the demo nothing may start before its network is closed.
void (isDemo ? drawn : Promise.race([drawn, pause(BEHIND_AFTER_MS)])).finally(startBehindWhenIdle);
