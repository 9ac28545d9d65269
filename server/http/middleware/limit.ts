import type { Runtime } from '../../base/runtime.ts';
import type { Bucket } from '../../contract/route.ts';
import { readKey } from '../api-key.ts';
import { addressKey, countCall } from '../call-counts.ts';
import { type Cookies, sessionCookie } from '../cookies.ts';
import type { RateLimiter } from '../rate-limiter.ts';
import type { Step } from '../request-context.ts';
import type { Route } from '../route-table.ts';
import { readCaller, readSession } from '../session.ts';

/**
 * Counts the call and reads the caller in one statement, so a request waits for storage once. Throws 429, and 401 for
 * an unknown API key.
 */
export function limit(runtime: Runtime, limiter: RateLimiter, route: Route): Step {
  const { config, sql } = runtime;
  const { buckets, perMinute, probe } = route.declaration;
  const guard = () => route.guard?.(runtime);
  return async (req, res, next) => {
    const { context } = res.locals;
    const now = runtime.now();
    const address = addressKey(context.ip);
    const call = { route: route.key, perMinute, now };
    if (probe) {
      limiter.countProbe(address, call);
      return next();
    }
    // Before the session is read: a flood must not reach the database.
    if (buckets)
      await limiter.admit(wantedOf(runtime, route, { address, cookies: context.cookies }), now.getTime(), guard);
    if (context.bearer !== null) {
      // Guesses are counted before they are looked up.
      await countCall(sql, `key ${address}`, call);
      const { actor, key } = await readKey(sql, context.bearer, now);
      context.actor = actor;
      context.key = key;
    } else if (buckets) {
      context.actor = await readSession(sql, config, context.cookies, now);
    } else {
      const { communityId } = req.params;
      const caller = await readCaller(sql, config, context.cookies, { address, call, idOrSlug: communityId });
      context.actor = caller.actor;
      context.found = caller.found;
    }
    next();
  };
}

/**
 * The buckets of one call: instance, address, and claimed session, valid or not. Routes open to other sites have their
 * own buckets, so neither uses up the other's.
 */
function wantedOf(
  { config }: Pick<Runtime, 'config'>,
  { declaration: { buckets, anySite } }: Route,
  caller: { address: string; cookies: Readonly<Cookies> },
): { key: string; bucket: Bucket }[] {
  if (!buckets) return [];
  const { instance, address, session } = buckets;
  if (anySite !== undefined)
    return [
      { key: 'open', bucket: instance },
      { key: `open ${caller.address}`, bucket: address },
    ];
  const scaled = ({ burst, perSecond }: Bucket): Bucket => ({
    burst: burst * config.clientLogRate,
    perSecond: perSecond * config.clientLogRate,
  });
  const { cookies } = caller;
  const token = cookies[sessionCookie(config, 'web')] ?? cookies[sessionCookie(config, 'mini_app')];
  return [
    { key: 'instance', bucket: scaled(instance) },
    { key: `address ${caller.address}`, bucket: scaled(address) },
    ...(token === undefined ? [] : [{ key: `session ${token.slice(0, 64)}`, bucket: scaled(session) }]),
  ];
}
