// @ts-check
/** What a phone sends of its log, and how long that waits to be ingested. */
import { randomUUID } from 'node:crypto';
import { wait } from './instance.mjs';

const LOOK_EVERY_MS = 50;
const STACK = `TypeError: Cannot read properties of undefined (reading 'points')\n${Array.from({ length: 8 }, (_, at) => `    at f${at} (https://muster.example/assets/app-a1b2c3d4.js:1:${1_000 + at})`).join('\n')}`;

export const JSON_TYPE = { 'content-type': 'application/json' };

/** @param {number} n */
export const entry = (n) => ({
  message: `TypeError: Cannot read properties of undefined (reading 'points') in row ${n % 50}`,
  stack: STACK,
  source: 'window.error',
  timestamp: new Date().toISOString(),
  url: 'https://muster.example/leaderboard?season=3',
  userAgent:
    'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  additionalData: { route: '/leaderboard', attempt: n },
});

/** @param {number} n */
export const single = (n) => JSON.stringify({ type: 'error', data: entry(n) });

/** @param {number} n */
export const batch = (n) =>
  JSON.stringify({
    sentAt: new Date().toISOString(),
    entries: Array.from({ length: 25 }, (_, at) => ({ id: randomUUID(), type: 'error', data: entry(n + at) })),
  });

/** @param {import('postgres').Sql} sql */
export async function emptied(sql) {
  while ((await sql`select from client_log_inbox limit 1`).length > 0) await wait(LOOK_EVERY_MS);
}

/** Looks now and then how long the oldest entry waits to be ingested. @param {import('postgres').Sql} sql */
export function watchLag(sql) {
  let longest = 0;
  let going = true;
  const looking = (async () => {
    while (going) {
      const [oldest] = await sql`select received_at as at from client_log_inbox order by position limit 1`;
      if (oldest) longest = Math.max(longest, Date.now() - Number(oldest['at']));
      await wait(LOOK_EVERY_MS);
    }
  })();
  return {
    /** The longest, in ms, once it is all ingested. */
    async end() {
      await emptied(sql);
      going = false;
      await looking;
      return longest;
    },
  };
}
