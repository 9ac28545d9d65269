import type { Drift } from '../features/ledger/drift.ts';
import { CommandError } from './command-error.ts';

/** That ledger and boards agree. Throws `CommandError` where they do not, with what differs. */
export function requireNoDrift(drift: readonly Drift[]): string {
  if (drift.length === 0) return 'The ledger and everything derived from it agree.';
  const lines = drift.map(
    (row) => `  ${row.board} ${row.communityId} ${row.period} ${row.what}: kept ${row.kept}, counted ${row.counted}`,
  );
  throw new CommandError(`The ledger and its boards differ:\n${lines.join('\n')}`);
}
