import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { isShutOut } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Forbidden, OfflineEmpty, Reading } from '../../ui/states.tsx';
import { NotAnOperator } from './not-an-operator.tsx';

/** Whether the user runs this instance; null while unknown. */
export function useIsStaff(): boolean | null {
  const { data: user, error } = useQuery(userQuery);
  return user === undefined || isShutOut(error) ? null : user !== null && user.role !== 'member';
}

/** Content for administrators and operators only. Others are told who can grant access, and nothing is requested. */
export function ForStaff({ children }: { children: ReactNode }) {
  const query = useQuery(userQuery) as UseQueryResult<User | null>;
  const online = useOnline();
  if (query.data === undefined && !online) return <OfflineEmpty onRetry={query.refetch} />;
  return (
    // A user who lost access is told once, not by each part of the page.
    <Reading query={isShutOut(query.error) ? { ...query, data: undefined } : query}>
      {(user) => {
        if (user === null) return <Forbidden signIn line={m.ops_signed_out_line()} />;
        if (user.role === 'member') return <NotAnOperator telegramUserId={user.telegramUserId} />;
        return children;
      }}
    </Reading>
  );
}
