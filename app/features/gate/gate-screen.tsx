import { Navigate, useLocation } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { LoaderScreen } from '../../ui/loader-screen.tsx';
import { NotFoundScreen } from '../../ui/not-found-screen.tsx';
import { type GatedPage, gate } from './gate.ts';
import { UnknownScreen } from './unknown-screen.tsx';
import { useAuthState } from './use-auth-state.ts';

/** The fallback for all other paths. The router passes the screens in, so the gate depends on no feature. */
export function GateScreen(props: {
  screens: Partial<Record<GatedPage, ComponentType>>;
  landing: ComponentType;
  restricted: ComponentType;
}) {
  const { pathname } = useLocation();
  const state = useAuthState();
  const verdict = gate(state, pathname, (page) => props.screens[page] !== undefined);
  switch (verdict) {
    case 'loader':
      return <LoaderScreen />;
    case 'unknown':
      return <UnknownScreen />;
    case 'restricted': {
      const Restricted = props.restricted;
      return <Restricted />;
    }
    case 'not-found':
      return <NotFoundScreen />;
    case 'to-selector':
      return <Navigate to="/community-selector" replace />;
    case 'landing': {
      const Landing = props.landing;
      return <Landing />;
    }
    default: {
      const Page = props.screens[verdict] ?? NotFoundScreen;
      return <Page />;
    }
  }
}
