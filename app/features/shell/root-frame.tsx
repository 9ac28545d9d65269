import './root-frame.css';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, Outlet, useLocation } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { wasSignedIn } from '../../lib/hints.ts';
import { userQuery } from '../../lib/query.ts';
import { orReload } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { LoaderScreen } from '../../ui/loader-screen.tsx';
import { type AuthState, type GatedPage, gate } from '../gate/gate.ts';
import { useAuthState } from '../gate/use-auth-state.ts';
import { useHealthPoll, useMembershipCheck } from './background.ts';
import { CrashBoundary } from './crash.tsx';
import { PublicFrame } from './public-frame.tsx';

// A network change during a first visit interrupts its requests, so the page starts again.
const never = () => false;
export const MemberFrame = lazyRouteComponent(() => orReload(import('./member-frame.tsx'), never), 'MemberFrame');
const Extras = lazyRouteComponent(() => orReload(import('./extras.tsx'), never), 'Extras');

type Frame = 'none' | 'public' | 'member';

/**
 * The frame of a screen. Gate screens and the landing page have none; while the user is unknown, the device's hint
 * decides for public pages, so nothing moves afterwards.
 */
export function frameOf(
  state: AuthState,
  path: string,
  isGated: boolean,
  hint: boolean,
  built: (page: GatedPage) => boolean,
): Frame {
  if (path === '/logout') return 'none';
  if (isGated) {
    const verdict = gate(state, path, built);
    if (['loader', 'unknown', 'restricted', 'landing', 'to-selector'].includes(verdict)) return 'none';
  }
  if (state === 'partial' || state === 'verified' || ((state === 'loading' || state === 'unknown') && hint))
    return 'member';
  return 'public';
}

/** Surrounds every screen: skip link, frame, crash boundary, toasts, install and update cards, background work. */
export function RootFrame(props: { isGated: (path: string) => boolean; built: (page: GatedPage) => boolean }) {
  const { pathname } = useLocation();
  const state = useAuthState();
  const user = useQuery(userQuery).data ?? null;
  const frame = frameOf(state, pathname, props.isGated(pathname), wasSignedIn(), props.built);
  const painted = usePainted();
  useMembershipCheck(user !== null);
  useHealthPoll();
  const screen = (
    <CrashBoundary resetKey={pathname}>
      <Outlet />
    </CrashBoundary>
  );
  return (
    <>
      <a className="button skip-link" href="#main">
        {m.shell_skip()}
      </a>
      <Suspense fallback={<LoaderScreen />}>
        {frame === 'member' && <MemberFrame user={user}>{screen}</MemberFrame>}
        {frame === 'public' && <PublicFrame>{screen}</PublicFrame>}
        {frame === 'none' && screen}
      </Suspense>
      {painted && (
        <Suspense fallback={null}>
          <Extras />
        </Suspense>
      )}
    </>
  );
}

/** False until the first screen is painted, the browser has been idle, and the later chunks are loaded. */
function usePainted(): boolean {
  const [painted, setPainted] = useState(false);
  useEffect(() => {
    const soon = globalThis.requestIdleCallback ?? ((then: () => void) => setTimeout(then, 1));
    soon(() => void Promise.resolve(Extras.preload?.()).then(() => setPainted(true)));
  }, []);
  return painted;
}
