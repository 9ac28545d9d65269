import { useQuery } from '@tanstack/react-query';
import { useOnline } from '../../lib/online.ts';
import { queryClient, userQuery } from '../../lib/query.ts';
import { type AuthState, authStateOf } from './gate.ts';

export function useAuthState(): AuthState {
  const { data, error, failureReason, isPending } = useQuery(userQuery);
  return authStateOf({ data, error, failureReason, isPending }, useOnline());
}

/** Ends when it is known who is signed in, or that it cannot be known without a connection. */
export function userKnown(): Promise<void> {
  return new Promise((known) => {
    const look = () => {
      const state = queryClient.getQueryState(userQuery.queryKey);
      if (!state) return;
      const { data, error, fetchFailureReason: failureReason, status } = state;
      if (authStateOf({ data, error, failureReason, isPending: status === 'pending' }, navigator.onLine) === 'loading')
        return;
      stop();
      removeEventListener('offline', look);
      known();
    };
    const stop = queryClient.getQueryCache().subscribe(look);
    addEventListener('offline', look);
    look();
  });
}
