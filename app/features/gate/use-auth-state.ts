import { useQuery } from '@tanstack/react-query';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { type AuthState, authStateOf } from './gate.ts';

export function useAuthState(): AuthState {
  const { data, error, failureReason, isPending } = useQuery(userQuery);
  return authStateOf({ data, error, failureReason, isPending }, useOnline());
}
