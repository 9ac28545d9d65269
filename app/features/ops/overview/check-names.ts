import type { CheckName as Name } from '../../../../server/contract/overview.ts';

/** Every check in the order in which it is shown. Written down here so that a page brings no schema along; the type holds it complete. */
const ALL: Record<Name, true> = {
  disk: true,
  database: true,
  backups: true,
  jobs: true,
  telegram: true,
  push: true,
  intake: true,
  webhooks: true,
  ledger: true,
};
export const CheckName = Object.keys(ALL) as Name[];
