import { type QueryClient, useQuery } from '@tanstack/react-query';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { type AuthState, authStateOf } from './gate.ts';

export function useAuthState(): AuthState {
  const { data, error, failureReason, isPending } = useQuery(userQuery);
  return authStateOf({ data, error, failureReason, isPending }, useOnline());
}

/** Resolves once it is known who is signed in, or that this cannot be known offline. */
export function userLoaded(client: QueryClient): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      const state = client.getQueryState(userQuery.queryKey);
      if (!state) return;
      const { data, error, fetchFailureReason: failureReason, status } = state;
      if (authStateOf({ data, error, failureReason, isPending: status === 'pending' }, navigator.onLine) === 'loading')
        return;
      stop();
      removeEventListener('offline', look);
      resolve();
    };
    const stop = client.getQueryCache().subscribe(look);
    addEventListener('offline', look);
    look();
  });
}
