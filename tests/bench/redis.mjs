// @ts-check
/** Redis as Debian ships it, on a socket of its own, with just enough of its protocol to ask it many things at once. */
import { spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { join } from 'node:path';

/** @typedef {string | number | null | Reply[]} Reply */

/** @param {Buffer} text @param {number} at @returns {[Reply, number] | null} */
function read(text, at) {
  const end = text.indexOf('\r\n', at);
  if (end < 0) return null;
  const line = text.toString('utf8', at + 1, end);
  const after = end + 2;
  const sign = String.fromCharCode(text[at] ?? 0);
  if (sign === '-') throw new Error(line);
  if (sign === '+') return [line, after];
  if (sign === ':') return [Number(line), after];
  const length = Number(line);
  if (length < 0) return [null, after];
  if (sign === '$') {
    return text.length < after + length + 2 ? null : [text.toString('utf8', after, after + length), after + length + 2];
  }
  /** @type {Reply[]} */
  const items = [];
  let next = after;
  while (items.length < length) {
    const item = read(text, next);
    if (!item) return null;
    items.push(item[0]);
    next = item[1];
  }
  return [items, next];
}

/** Starts a server that keeps nothing; rejects where Redis is not installed. @param {string} directory */
export async function startRedis(directory) {
  const path = join(directory, 'redis.sock');
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', directory], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((done, fail) => {
    child.once('error', fail);
    child.stdout.on('data', (text) => String(text).includes('ready to accept') && done(undefined));
  });
  return {
    path,
    connect: () => connectRedis(path),
    stop: () => new Promise((done) => child.once('exit', done) && child.kill('SIGTERM')),
  };
}

/** A connection of its own. @param {string} path of a server's socket */
export function connectRedis(path) {
  const socket = createConnection(path);
  /** @type {{ wanted: number, done(replies: Reply[]): void, fail(error: unknown): void } | null} */
  let waiting = null;
  /** @type {Buffer} */
  let rest = Buffer.alloc(0);
  /** @type {Reply[]} */
  let replies = [];
  socket.on('data', (/** @type {Buffer} */ chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    try {
      for (let item = read(rest, at); item; item = at < rest.length ? read(rest, at) : null) {
        replies.push(item[0]);
        at = item[1];
      }
    } catch (error) {
      waiting?.fail(error);
    }
    rest = rest.subarray(at);
    if (waiting && replies.length >= waiting.wanted) {
      const { done } = waiting;
      const all = replies;
      waiting = null;
      replies = [];
      done(all);
    }
  });
  return {
    /** Asks all at once. @param {(string | number)[][]} commands @returns {Promise<Reply[]>} */
    ask: (commands) =>
      new Promise((done, fail) => {
        waiting = { wanted: commands.length, done, fail };
        socket.write(
          commands
            .map(
              (words) =>
                `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(String(word))}\r\n${word}\r\n`).join('')}`,
            )
            .join(''),
        );
      }),
    close: () => socket.destroy(),
  };
}
