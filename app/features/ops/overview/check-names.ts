import type { CheckName } from '../../../../server/contract/overview.ts';

/** Every check in display order. Repeated here so the page needs no schema; the type keeps it complete. */
const ALL: Record<CheckName, true> = {
  disk: true,
  database: true,
  size: true,
  backups: true,
  jobs: true,
  telegram: true,
  push: true,
  intake: true,
  webhooks: true,
  ledger: true,
  clock: true,
  certificate: true,
};
export const CHECK_NAMES = Object.keys(ALL) as CheckName[];
