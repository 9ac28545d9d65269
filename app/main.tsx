import './ui/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { userKnown } from './features/gate/use-auth-state.ts';
import { watchInstall } from './features/install/install.ts';
import { CrashBoundary } from './features/shell/crash.tsx';
import { reportMismatch } from './features/shell/hydration.ts';
import { MemberFrame } from './features/shell/root-frame.tsx';
import { followSystem } from './features/theme/theme.ts';
import { wasSignedIn } from './lib/hints.ts';
import './lib/news.ts';
import { part } from './lib/part.ts';
import { queryClient, userQuery } from './lib/query.ts';
import { isGated, router } from './router.tsx';

watchInstall();
followSystem();
void queryClient.prefetchQuery(userQuery);

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const place = document.getElementById('root');
if (!place) throw new Error('The page has no place for the app');
const app = (
  <StrictMode>
    <CrashBoundary>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CrashBoundary>
  </StrictMode>
);
/**
 * What came drawn stands until the app can draw as much. Where the app draws something else, React draws that part anew,
 * and ops hear of it.
 */
async function takeOver(drawn: HTMLElement): Promise<void> {
  await Promise.all([router.load(), isGated(location.pathname) && userKnown()]);
  hydrateRoot(drawn, app, { onRecoverableError: reportMismatch });
}
/** What the device keeps of an app's parts is there within this, on a slow phone too. */
const PARTS_WITHIN_MS = 250;
/**
 * React shows what stands for a missing part for 300 ms at least, however soon that comes: parts that the device has are
 * waited for, parts that the network must bring are not.
 */
async function draw(empty: HTMLElement): Promise<void> {
  const parts = Promise.allSettled([router.load(), wasSignedIn() && MemberFrame.preload?.()]);
  await Promise.race([parts, pause(PARTS_WITHIN_MS)]);
  createRoot(empty).render(app);
}
const drawn = place.hasChildNodes() ? takeOver(place) : draw(place);
document.documentElement.dataset['started'] = '';

// A moved focus tells a screen reader that another screen is there.
router.subscribe('onResolved', ({ fromLocation, pathChanged }) => {
  if (fromLocation && pathChanged) document.getElementById('main')?.focus({ preventScroll: true });
});

/** After the app has drawn, or could not in this time: everything that draws nothing. It would only crowd what does. */
const BEHIND_AFTER_MS = 3_000;
function startBehind(): void {
  void part(import('./features/shell/start.ts')).then(({ start }) => start(queryClient));
}
function startBehindWhenIdle(): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(startBehind, { timeout: 1_000 });
  else setTimeout(startBehind, 200);
}
void Promise.race([drawn, pause(BEHIND_AFTER_MS)]).finally(startBehindWhenIdle);
