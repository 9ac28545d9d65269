import { isIPv6 } from 'node:net';
import type { Sql } from 'postgres';
import { HttpError } from '../base/http-error.ts';

const WINDOW_MS = 60_000;

/** One IPv6 customer has a whole /64, so it counts as one address. */
export function addressKey(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('%')[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const middle = tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return `${[...front, ...middle, ...back].slice(0, 4).join(':')}::/64`;
}

function tooMany(now: Date): never {
  const seconds = Math.max(1, Math.ceil((WINDOW_MS - (now.getTime() % WINDOW_MS)) / 1000));
  throw new HttpError(429, 'TOO_MANY_REQUESTS', `Too many requests. Try again in ${seconds} seconds.`, {
    details: { seconds },
    retryAfterSeconds: seconds,
  });
}

const windowOf = (now: Date): Date => new Date(now.getTime() - (now.getTime() % WINDOW_MS));

export type Call = { route: string; perMinute: number; now: Date };

/** Counts a call of `who`, as a statement that gives `count`; `$2` is the route and `$3` the present minute. */
export const countOf = (who: string) => `
  insert into rate_limits as kept (key, window_start, count) values (${who} || ' ' || $2::text, $3::timestamptz, 1)
  on conflict (key) do update set
    count = case when kept.window_start = excluded.window_start then kept.count + 1 else 1 end,
    window_start = excluded.window_start
  returning count`;

const COUNT = countOf('$1::text');

/** What `countOf` is given from `$2` on. */
export const countedAs = ({ route, now }: Call): [route: string, window: Date] => [route, windowOf(now)];

/** Throws 429 with the seconds to the next window when `perMinute` is used up. */
export function checkCount(count: number, { perMinute, now }: Call): void {
  if (count > perMinute) tooMany(now);
}

/** Counts one call of `who` in the present minute, shared by every server process. Throws 429, see `checkCount`. */
export async function countCall(sql: Sql, who: string, call: Call): Promise<void> {
  const [row] = await sql.unsafe<{ count: number }[]>(COUNT, [who, ...countedAs(call)], { prepare: true });
  checkCount(row?.count ?? 0, call);
}

/** The same count in this process's memory: for probes, which must answer while storage is away. */
export function probeCounter(): (who: string, call: Call) => void {
  let window = 0;
  let counts = new Map<string, number>();
  return (who, { route, perMinute, now }) => {
    const present = windowOf(now).getTime();
    if (present !== window) {
      window = present;
      counts = new Map();
    }
    const key = `${who} ${route}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > perMinute) tooMany(now);
  };
}

const COUNT_RETENTION_MS = 5 * 60_000;

export const sweepCallCounts = (sql: Sql, now: Date): Promise<unknown> =>
  sql`delete from rate_limits where window_start < ${new Date(now.getTime() - COUNT_RETENTION_MS)}`;
