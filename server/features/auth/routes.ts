import type { Handlers } from '../../http/handler.ts';
import { adminLinkHandlers } from './admins.ts';
import { membershipHandlers } from './membership.ts';
import { sessionHandlers } from './sessions.ts';
import { signInHandlers } from './sign-in.ts';
import { xLinkHandlers } from './x-link.ts';
import { xProofHandlers } from './x-proof.ts';

/** Everything under `/api/auth/`. */
export const authHandlers = {
  ...signInHandlers,
  ...sessionHandlers,
  ...membershipHandlers,
  ...xLinkHandlers,
  ...xProofHandlers,
  ...adminLinkHandlers,
} satisfies Handlers;
