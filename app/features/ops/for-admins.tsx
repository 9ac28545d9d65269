import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { OfflineEmpty, Reading } from '../../ui/states.tsx';
import { NotAnOperator } from './not-an-operator.tsx';

/** A read for administrators only: others are told who can grant access. */
export function ForAdmins<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  children: (data: T) => ReactNode;
  missing?: ReactNode;
}) {
  const user = useUser();
  return (
    <Reading
      {...props}
      forbidden={<NotAnOperator telegramUserId={user?.telegramUserId ?? null} />}
      away={
        <OfflineEmpty
          title={m.ops_offline_title()}
          line={m.desk_offline_line()}
          onRetry={() => props.query.refetch()}
        />
      }
    />
  );
}
