import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import {
  PRICES_ANSWER_MAX_BYTES,
  PRICES_CACHE_MS,
  PRICES_FRESH_MS,
  PRICES_REST_MS,
  PRICES_TIMEOUT_MS,
} from '../../contract/limits.ts';
import type { Prices as PriceReport } from '../../contract/prices.ts';
import { get } from '../outward/get.ts';
import type { World } from '../outward/post.ts';

/** CoinGecko's ids of tickers. */
const COINS = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  solana: 'SOL',
  'the-open-network': 'TON',
  binancecoin: 'BNB',
  'usd-coin': 'USDC',
  tether: 'USDT',
} as const;
/** Dearer than any coin, cheaper than any that is counted. */
const [LEAST, MOST] = [1e-12, 1e12];

type CachedPrices = { at: Date; usd: Record<string, string> };

/**
 * Calls `GET /simple/price` (docs.coingecko.com, "Coin price by ids") at most once a minute in total, and backs off
 * after a failure. Prices older than a day are not reported.
 */
export function createPrices({ prices }: Pick<Config, 'prices'>, log: Logger, world: World = {}): Prices {
  const { baseUrl, apiKey } = prices;
  if (baseUrl === null) return { current: async () => ({ offered: false, failing: false, asOf: null, usd: {} }) };
  let cached: CachedPrices | null = null;
  let isFailing = false;
  let retryAt = 0;
  let fetching: Promise<void> | null = null;

  async function refresh(now: Date): Promise<void> {
    const found = await fetchPrices(baseUrl ?? '', apiKey, world);
    isFailing = 'problem' in found;
    if ('problem' in found) log.warn({ problem: found.problem }, 'the price source did not answer');
    else cached = { at: now, usd: found.usd };
    retryAt = now.getTime() + (isFailing ? PRICES_REST_MS : PRICES_FRESH_MS);
  }

  return {
    async current(now) {
      if (now.getTime() >= retryAt) {
        fetching ??= refresh(now).finally(() => {
          fetching = null;
        });
        await fetching;
      }
      const isOld = cached !== null && now.getTime() - cached.at.getTime() > PRICES_CACHE_MS;
      if (cached === null || isOld) return { offered: true, failing: isFailing, asOf: null, usd: {} };
      return { offered: true, failing: isFailing, asOf: cached.at.toISOString(), usd: cached.usd };
    },
  };
}

type Found = { usd: Record<string, string> } | { problem: string };

async function fetchPrices(baseUrl: string, apiKey: string | null, world: World): Promise<Found> {
  const url = new URL(`${baseUrl}/simple/price`);
  url.searchParams.set('ids', Object.keys(COINS).join(','));
  url.searchParams.set('vs_currencies', 'usd');
  const answer = await get(
    {
      url,
      // Sources behind a firewall reject clients without a user agent.
      headers: {
        accept: 'application/json',
        'user-agent': 'Muster',
        ...(apiKey === null ? {} : { [keyHeader(url)]: apiKey }),
      },
      timeoutMs: PRICES_TIMEOUT_MS,
      maxBytes: PRICES_ANSWER_MAX_BYTES,
    },
    world,
  );
  if ('error' in answer) return { problem: answer.error };
  if (answer.status !== 200) return { problem: `status ${answer.status}` };
  const usd = pricesIn(answer.body);
  return Object.keys(usd).length > 0 ? { usd } : { problem: 'no prices in its answer' };
}

/** Keys of the two plans go under two names (docs.coingecko.com, "Authentication"). */
const keyHeader = (url: URL): string => (url.hostname.startsWith('pro-') ? 'x-cg-pro-api-key' : 'x-cg-demo-api-key');

/** `{"bitcoin":{"usd":64000.5}}`: the valid prices of known coins. */
function pricesIn(body: string): Record<string, string> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return {};
  }
  if (typeof parsed !== 'object' || parsed === null) return {};
  const usd: Record<string, string> = {};
  for (const [id, ticker] of Object.entries(COINS)) {
    const coin: unknown = Object.hasOwn(parsed, id) ? (parsed as Record<string, unknown>)[id] : null;
    const price: unknown = typeof coin === 'object' && coin !== null ? (coin as Record<string, unknown>)['usd'] : null;
    if (typeof price === 'number' && price >= LEAST && price <= MOST) usd[ticker] = plain(price);
  }
  return usd;
}
/** Without an exponent, whatever its size. */
const plain = (price: number): string =>
  /e/.test(String(price)) ? price.toFixed(20).replace(/\.?0+$/, '') : String(price);

/** The product's view of a source of prices. It never throws: without a source, or while it is away, that is the answer. */
export type Prices = { current(now: Date): Promise<PriceReport> };
