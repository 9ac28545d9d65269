import type { Runtime } from '../../base/runtime.ts';
import { mayBeRepeat, readKey } from '../idempotency.ts';
import type { Step } from '../request-context.ts';
import { headerOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';

/**
 * Reads the sender and `Idempotency-Key` of an idempotent command. A community's rejection is thrown here, before the
 * body is read, unless the key has a stored answer: then `body` finds out whether it is a repeat.
 */
export function command({ sql }: Pick<Runtime, 'sql'>, { key: route, declaration }: Route): Step {
  return async (req, res, next) => {
    const { context } = res.locals;
    const { actor, refused } = context;
    if (!declaration.idempotent || !actor) return next();
    const given = readKey(headerOf(req, 'idempotency-key'));
    // A program that uses a member's API key counts as a separate sender. No key contains a space.
    const key = context.key ? `${context.key.id} ${given}` : given;
    const sender = { userId: actor.userId, key, route };
    if (refused && !(await mayBeRepeat(sql, sender))) throw refused;
    context.sender = sender;
    next();
  };
}
