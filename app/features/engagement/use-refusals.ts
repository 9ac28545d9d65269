import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useOutbox } from '../../lib/device.ts';
import { refetchChanged } from './refetch.ts';
import { communityOf } from './subjects.ts';

/** A refused act means that the screen showed something that is no longer so: reads the community again, once for each. */
export function useRefusals(communityId: string): void {
  const client = useQueryClient();
  const refused = useOutbox()
    .filter(({ lane, state }) => state === 'refused' && communityOf(lane) === communityId)
    .map(({ id }) => id)
    .join(' ');
  useEffect(() => {
    if (refused !== '') void refetchChanged(client);
  }, [client, refused]);
}
