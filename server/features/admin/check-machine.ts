import type { Runtime } from '../../base/runtime.ts';
import { certificateOf } from '../../integrations/certificate.ts';
import { upstreamClock } from '../../integrations/upstream-clock.ts';
import { type Found, stateOf } from './check.ts';

const DAY_MS = 86_400_000;

/** Sign-ins are refused from a minute on; signatures and times of members are wrong long before that. */
const SKEW_S = 10;
const SKEW_FAILS_S = 60;
/** A header has whole seconds, and the answer was on its way. */
const UPSTREAM_BLUR_S = 5;

/** Services whose word on the time counts: Telegram's and X's. */
const clockOf = ({ config: { telegram, x }, now }: Runtime) =>
  upstreamClock(
    [telegram.apiRoot, telegram.oidcIssuer, x.apiRoot].map((url) => new URL(url).host),
    now,
  );

/** Whether this machine's clock agrees with the database's, and with an upstream's. */
export async function checkClock(runtime: Runtime): Promise<Found<'clock'>> {
  const asked = runtime.now().getTime();
  const [{ at }] = await runtime.sql<[{ at: Date }]>`select clock_timestamp() as at`;
  const took = runtime.now().getTime() - asked;
  const databaseS = Math.round((asked + took / 2 - at.getTime()) / 1_000) || 0;
  const upstream = runtime.own(clockOf).ahead();
  const upstreamS = upstream && (Math.round(upstream.ms / 1_000) || 0);
  const worst = Math.max(Math.abs(databaseS), Math.abs(upstreamS ?? 0) - UPSTREAM_BLUR_S);
  return {
    state: stateOf({ failed: worst >= SKEW_FAILS_S, attention: worst >= SKEW_S }),
    facts: { databaseS, upstreamS, upstream: upstream?.host ?? null },
    figure: worst,
  };
}

/** Most are renewed a month before; two weeks mean that it failed. */
const RENEW_DAYS = 14;
const ENDS_DAYS = 3;
const LOOKED_AT_EVERY_MS = 5 * 60_000;
const HANDSHAKE_MS = 2_500;

type Looked = { at: number; found: ReturnType<typeof certificateOf> };

/** The certificate of the instance's own address, looked at every five minutes through whatever stands before it. */
function certificates({ config, now }: Runtime): () => Looked['found'] {
  let last: Looked | null = null;
  return () => {
    const at = now().getTime();
    if (last && Math.abs(at - last.at) < LOOKED_AT_EVERY_MS) return last.found;
    const looked: Looked = { at, found: certificateOf(new URL(config.publicOrigin), HANDSHAKE_MS) };
    // An address that does not answer is asked again the next time.
    looked.found.catch(() => {
      if (last === looked) last = null;
    });
    last = looked;
    return looked.found;
  };
}

/** How long the certificate of `PUBLIC_ORIGIN` is still good, and whose certificates were refused from here. */
export async function checkCertificate(
  runtime: Runtime,
  look = runtime.own(certificates),
): Promise<Found<'certificate'>> {
  const { sql, config, now } = runtime;
  const at = now();
  const { host, protocol } = new URL(config.publicOrigin);
  const rows = await sql<{ host: string }[]>`
    select distinct split_part(split_part(w.url, '/', 3), ':', 1) as host
    from webhook_deliveries d join webhooks w on w.id = d.webhook_id
    where d.error = 'TLS' and d.last_try_at > ${new Date(at.getTime() - DAY_MS)} order by 1 limit 5`;
  const upstreams = rows.map((row) => row.host);
  if (protocol !== 'https:')
    return {
      state: stateOf({ failed: false, attention: upstreams.length > 0 }),
      facts: { host, validTo: null, daysLeft: null, refused: null, upstreams },
      figure: null,
    };
  const { validTo, refused } = await look();
  const daysLeft = Math.floor((validTo.getTime() - at.getTime()) / DAY_MS);
  return {
    state: stateOf({
      failed: refused !== null || daysLeft < ENDS_DAYS,
      attention: daysLeft < RENEW_DAYS || upstreams.length > 0,
    }),
    facts: { host, validTo: validTo.toISOString(), daysLeft, refused, upstreams },
    figure: daysLeft,
  };
}
