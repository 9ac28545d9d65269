import { useEffect, useState } from 'react';
import type { ReviewItem } from '../../../../server/contract/review.ts';
import type { Seen } from '../parts/commands.ts';

type DecisionsInFlight = {
  has: (claim: { id: string; version: number }) => boolean;
  add: (claims: readonly Seen[]) => void;
  delete: (claims: readonly Seen[]) => void;
};

const keyOf = (id: string, version: number) => `${id} ${version}`;

/**
 * Claims whose decision is being stored at this moment: until they leave the queue, a second press would be another
 * decision, which loses to the first. A changed claim can be decided again.
 */
export function useDecisionsInFlight(open: readonly ReviewItem[]): DecisionsInFlight {
  const [keys] = useState(() => new Set<string>());
  useEffect(() => {
    const isOpen = new Set(open.map(({ claim }) => keyOf(claim.id, claim.version)));
    for (const key of keys) if (!isOpen.has(key)) keys.delete(key);
  }, [keys, open]);
  return {
    has: ({ id, version }) => keys.has(keyOf(id, version)),
    add: (claims) => {
      for (const { claimId, version } of claims) keys.add(keyOf(claimId, version));
    },
    delete: (claims) => {
      for (const { claimId, version } of claims) keys.delete(keyOf(claimId, version));
    },
  };
}
