import type { Runtime } from '../../base/runtime.ts';
import { mayBeRepeat, readKey } from '../idempotency.ts';
import type { Step } from '../request-context.ts';
import { headerOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';

/**
 * Who sends an idempotent command, under which `Idempotency-Key`. A community's refusal is thrown here, before a byte of
 * the body is read, unless an answer is stored under the key: whether this is its repeat the body says, see `body`.
 */
export function command({ sql }: Pick<Runtime, 'sql'>, { key: route, declaration }: Route): Step {
  return async (req, res, next) => {
    const { context } = res.locals;
    const { actor, refused } = context;
    if (!declaration.idempotent || !actor) return next();
    const given = readKey(headerOf(req, 'idempotency-key'));
    // What a program sends under a person's right is a sender of its own. No key holds a blank.
    const key = context.key ? `${context.key.id} ${given}` : given;
    const sender = { userId: actor.userId, key, route };
    if (refused && !(await mayBeRepeat(sql, sender))) throw refused;
    context.sender = sender;
    next();
  };
}
