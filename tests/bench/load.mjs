// @ts-check
import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 128 });

/**
 * One request over a kept connection.
 * @param {string} url @param {{ method?: string, headers?: Record<string, string>, body?: string }} [options]
 * @returns {Promise<{ status: number, ms: number, retryAfter: number }>} seconds after which to come back, where it says so
 */
export function send(url, { method = 'GET', headers = {}, body } = {}) {
  const begun = performance.now();
  return new Promise((done, fail) => {
    const outgoing = request(url, { method, headers, agent }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        const retryAfter = Number(answer.headers['retry-after'] ?? Number.NaN);
        done({ status: answer.statusCode ?? 0, ms: performance.now() - begun, retryAfter });
      });
    });
    outgoing.on('error', fail);
    outgoing.end(body);
  });
}

/**
 * As many as go through in a time, so many under way at once.
 * @param {number} seconds @param {() => Promise<{ status: number }>} one @param {number} [lanes]
 */
export async function flood(seconds, one, lanes = 8) {
  const end = performance.now() + seconds * 1000;
  const begun = performance.now();
  let count = 0;
  const lane = async () => {
    while (performance.now() < end) {
      const { status } = await one();
      if (status !== 200) throw new Error(`answered ${status}`);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return { count, perSecond: (count * 1000) / (performance.now() - begun) };
}
