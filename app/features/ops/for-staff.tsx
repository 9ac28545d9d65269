import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { isShutOut } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Forbidden, OfflineEmpty, Reading } from '../../ui/states.tsx';
import { NotAnOperator } from './not-an-operator.tsx';

/** Whether who looks runs this instance; null while that is not known. */
export function useIsStaff(): boolean | null {
  const { data: user, error } = useQuery(userQuery);
  return user === undefined || isShutOut(error) ? null : user !== null && user.role !== 'member';
}

/** What only those who run the instance see. Anybody else is told who lets them in, and is not asked for what they may not read. */
export function ForStaff({ children }: { children: ReactNode }) {
  const query = useQuery(userQuery) as UseQueryResult<User | null>;
  const online = useOnline();
  if (query.data === undefined && !online) return <OfflineEmpty onRetry={query.refetch} />;
  return (
    // Whoever was removed meanwhile is told so once, and not by each part of the page.
    <Reading query={isShutOut(query.error) ? { ...query, data: undefined } : query}>
      {(user) => {
        if (user === null) return <Forbidden signIn line={m.ops_signed_out_line()} />;
        if (user.role === 'member') return <NotAnOperator telegramUserId={user.telegramUserId} />;
        return children;
      }}
    </Reading>
  );
}
