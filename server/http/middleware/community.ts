import { HttpError } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { admitRole, findCommunity, visibleTo } from '../access.ts';
import { admitKeyTo } from '../api-key.ts';
import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';

/**
 * Finds the community of the path and rejects callers without the required role: 404, 403. A command's rejection is
 * deferred: the command itself may have removed the role (leaving), and its repeat still gets its answer.
 */
export function community({ sql }: Pick<Runtime, 'sql'>, { declaration }: Route): Step {
  const { access, idempotent } = declaration;
  return async (_req, res, next) => {
    const { context } = res.locals;
    const { params, asker, found, key } = context;
    const { communityId } = params;
    try {
      if (communityId !== undefined) {
        context.community =
          found === undefined ? await findCommunity(sql, communityId, asker) : visibleTo(asker, found);
        admitRole(access, context.community);
      }
      if (key) admitKeyTo(context.community, key);
    } catch (error) {
      if (!idempotent || !(error instanceof HttpError)) throw error;
      context.refused = error;
    }
    next();
  };
}
