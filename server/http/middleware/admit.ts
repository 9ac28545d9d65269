import type { Actor } from '../../base/actor.ts';
import { HttpError, notFound } from '../../base/http-error.ts';
import type { Runtime } from '../../base/runtime.ts';
import { MEMBER_HEADER } from '../../contract/sw-messages.ts';
import { admitPerson, admitTelegram, isRevoked, notSignedIn, UUID } from '../access.ts';
import { admitKey } from '../api-key.ts';
import { forgottenBy } from '../forgotten.ts';
import { checkText } from '../read-body.ts';
import type { Step } from '../request-context.ts';
import { headerOf } from '../request-parts.ts';
import type { Route } from '../route-table.ts';

/** Rejects callers who may not call the route (401, 403, 409), then a path without a resource (404). */
export function admit({ config, sql }: Pick<Runtime, 'config' | 'sql'>, { declaration }: Route): Step {
  const { requiredChannel, webhookSecret } = config.telegram;
  return (req, res, next) => {
    const { context } = res.locals;
    const { actor, key } = context;
    if (actor) {
      context.userId = actor.userId;
      // Says whose partition of the device's store a private answer belongs in.
      if (declaration.cache === 'private') res.setHeader(MEMBER_HEADER, actor.userId);
    }
    checkSender(headerOf(req, 'x-actor'), actor);
    if (key) admitKey(declaration, key);
    if (declaration.access === 'telegram') {
      admitTelegram(headerOf(req, 'x-telegram-bot-api-secret-token'), webhookSecret);
    } else if (!actor && declaration.access !== 'public') {
      return refuseSignedOut(sql, config, context.cookies);
    } else admitPerson(actor, declaration, requiredChannel);
    // On public routes a revoked member counts as a stranger.
    context.asker = actor && (actor.suspended || isRevoked(actor, requiredChannel)) ? null : actor;
    context.params = checkParams(req.params);
    next();
  };
}

/** Refuses a request without a session. The answer says so where the device's member was erased. */
async function refuseSignedOut(...args: Parameters<typeof forgottenBy>): Promise<never> {
  throw (await forgottenBy(...args)) ?? notSignedIn();
}

/**
 * A device that sends a queued command names its member in `X-Actor`. Another member's session must not deliver it
 * (threat model, row G2). The access check handles a missing session.
 */
function checkSender(named: string | undefined, actor: Actor | null): void {
  if (named === undefined || !actor || named === actor.userId) return;
  throw new HttpError(409, 'ACTOR_MISMATCH', 'Someone else is signed in now. Nothing was sent under their name.');
}

/** Every id of a path but the community's is a UUID; anything else names nothing. */
function checkParams(raw: Readonly<Record<string, string>>): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    checkText(value, name);
    if (name !== 'communityId' && !UUID.test(value)) throw notFound('address');
    // Some code compares ids as text, so each has one spelling.
    params[name] = name === 'communityId' ? value : value.toLowerCase();
  }
  return params;
}
