import type { Runtime } from '../../base/runtime.ts';
import { findLastingAnswer, readKey, requestHash } from '../idempotency.ts';
import { readJson } from '../read-body.ts';
import type { Step } from '../request-context.ts';
import { headerOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';
import { sendStored } from '../send.ts';

/**
 * What an idempotent command is known by: its sender, its `Idempotency-Key`, and what it asks. Where the community
 * refuses it, a repeat is answered as the first time, and anything else is refused.
 */
export function command({ sql }: Pick<Runtime, 'sql'>, { key: route, declaration }: Route): Step {
  return async (req, res, next) => {
    const { context } = res.locals;
    const { actor, refused } = context;
    if (!declaration.idempotent || !actor) return next();
    const given = readKey(headerOf(req, 'idempotency-key'));
    // What a program sends under a person's right is a sender of its own. No key holds a blank.
    const key = context.key ? `${context.key.id} ${given}` : given;
    const rawBody = await readJson(req, declaration);
    const { pathname } = new URL(req.url, 'http://path.invalid');
    const id = { userId: actor.userId, key, route, hash: requestHash(pathname, rawBody) };
    if (refused) {
      const stored = await findLastingAnswer(sql, id);
      if (!stored) throw refused;
      return sendStored(req, res, declaration, { ...stored, replayed: true });
    }
    context.command = { id, rawBody };
    next();
  };
}
