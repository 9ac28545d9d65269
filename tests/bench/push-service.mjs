// @ts-check
/**
 * A push service that counts, in a process of its own: `node push-service.mjs <key> <cert> [kind]`. Of every hundred tokens it
 * loses some (410), and is out of breath or away once for others (429, 503, a reset); now and then it asks everybody to
 * wait a second. A kind one takes whatever comes. Says its port, and the counts whenever it is asked (SIGUSR2 is not on every system: a line on stdin).
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

const [, , key = '', cert = '', manner = ''] = process.argv;
const isKind = manner === 'kind';
/** Messages taken, by token. @type {Map<string, number>} */
const taken = new Map();
const seen = new Set();
let requests = 0;
let restingUntil = 0;
/** @type {Record<string, number>} */
const answers = {};

/** @param {string} token */
function verdict(token) {
  if (isKind) return 201;
  const kind = Number.parseInt(token.slice(-4), 10) % 200;
  if (kind < 4) return 410;
  if (seen.has(token)) return 201;
  seen.add(token);
  return kind < 7 ? 503 : kind < 9 ? 429 : kind < 10 ? 0 : 201;
}

const server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
  request.resume();
  request.on('end', () => {
    requests += 1;
    const token = request.url?.split('/').at(-1) ?? '';
    if (requests % 25_000 === 0 && !isKind) restingUntil = Date.now() + 1_000;
    const isResting = Date.now() < restingUntil;
    const status = isResting ? 429 : verdict(token);
    answers[status] = (answers[status] ?? 0) + 1;
    if (status === 0) return void request.socket.destroy();
    if (status === 201) taken.set(token, (taken.get(token) ?? 0) + 1);
    response.writeHead(status, isResting ? { 'retry-after': '1' } : {}).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === 'object' ? address?.port : 0 }));
});
process.stdin.on('data', () => {
  const counts = [...taken.values()];
  const twice = counts.filter((count) => count > 1).length;
  const most = counts.reduce((max, count) => Math.max(max, count), 0);
  console.log(JSON.stringify({ requests, tokens: taken.size, twice, most, answers }));
});
