// @ts-check
/**
 * Members, in a process of their own: `fork`ed, told where the product is and how many come a second, and then again and again how
 * long they come. They come whether or not those before were answered, as people do. Answers how it went.
 */
import { randomUUID } from 'node:crypto';
import { wait } from './instance.mjs';

const PLACE = '/api/communities/grown-0';
const READS = [`${PLACE}/dashboard`, `${PLACE}/leaderboard?period=week`, `${PLACE}/dashboard`, '/api/auth/user'];

/** @typedef {{ one: number, taskId: string }} Claim somebody and a task that they have not done yet */
/** @typedef {{ url: string, perSecond: number, readers: number[], claims: Claim[] }} Crowd */
/** @typedef {{ count: number, refused: string[], read: number[], claimed: number[] }} Went ms of reads and of claims */

/** @type {Crowd} */
let crowd;
let asked = 0;
process.on('message', async (/** @type {Crowd | { count: number }} */ told) => {
  if ('url' in told) crowd = told;
  else process.send?.(await come(told.count));
});

/** @param {number} count of requests: one in five is a claim @returns {Promise<Went>} */
async function come(count) {
  /** @type {Went} */
  const went = { count, refused: [], read: [], claimed: [] };
  const begun = performance.now();
  const under = Array.from({ length: count }, async (_, nth) => {
    await wait(Math.max(0, begun + (nth * 1_000) / crowd.perSecond - performance.now()));
    const claim = nth % 5 === 4 ? crowd.claims.pop() : undefined;
    asked += 1;
    const one = claim?.one ?? crowd.readers[asked % crowd.readers.length];
    const path = claim ? `${PLACE}/tasks/${claim.taskId}/claims` : READS[asked % READS.length];
    const headers = {
      cookie: `sid=${`grown-${one}-`.padEnd(43, 'x')}`,
      'sec-fetch-site': 'same-origin',
      'idempotency-key': randomUUID(),
    };
    const sent = performance.now();
    const answer = await fetch(crowd.url + path, {
      headers: claim ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(claim && { method: 'POST', body: '{}' }),
    });
    await answer.arrayBuffer();
    const ms = performance.now() - sent;
    if (answer.status >= 400) went.refused.push(`${path} ${answer.status}`);
    else (claim ? went.claimed : went.read).push(ms);
  });
  await Promise.all(under);
  return went;
}
