// @ts-check
/**
 * A process that sends bodies and asks `/livez` meanwhile, so that the one that is measured only serves. It is told
 * `{ port, method, path, headers, shape, bytes }` and answers `{ status, asked, unanswered }`.
 */
import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';

/** Bodies of exactly so many bytes. @type {Record<string, (bytes: number) => Buffer>} */
const SHAPES = {
  'a flat list': (bytes) => filled(bytes, '[1', ',1', ']'),
  'deep nesting': (bytes) => Buffer.from('['.repeat(bytes / 2) + ']'.repeat(bytes - Math.floor(bytes / 2))),
  'many fields': (bytes) => {
    let text = '{"a":1';
    for (let at = 0; text.length < bytes - 16; at += 1) text += `,"${at.toString(36)}":1`;
    return Buffer.from(`${text.padEnd(bytes - 1)}}`);
  },
  'one text': (bytes) => filled(bytes, '{"text":"', 'x', '"}'),
  'random bytes': (bytes) => randomBytes(bytes),
  'line ends': (bytes) => filled(bytes, 'telegram,points', '\n', ''),
  'quotation marks': (bytes) => filled(bytes, 'telegram,points\n', '""', ''),
  commas: (bytes) => filled(bytes, 'telegram,points\n', ',', ''),
  people: (bytes) => {
    const lines = ['telegram_id,telegram,name,points,joined'];
    for (let at = 0, size = 40; size < bytes - 64; at += 1) {
      lines.push(`${70_000_000 + at},person_of_the_hills_${at},Person of the hills ${at},${at % 997},2024-01-01`);
      size += (lines.at(-1)?.length ?? 0) + 1;
    }
    return Buffer.from(lines.join('\n'));
  },
};

/** @param {number} bytes @param {string} head @param {string} part @param {string} tail */
const filled = (bytes, head, part, tail) =>
  Buffer.from(head + part.repeat((bytes - head.length - tail.length) / part.length) + tail);

/** @param {{ port: number, path: string, method: string, headers?: Record<string, string>, agent: Agent }} options @param {Buffer} [body] */
const send = (options, body) =>
  new Promise((done) => {
    const asked = request({ host: '127.0.0.1', ...options }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode));
    });
    asked.on('error', () => done(0));
    asked.end(body);
  });

const probes = new Agent({ keepAlive: true, maxSockets: 1 });

process.on('message', async (/** @type {any} */ { port, method, path, headers, shape, bytes }) => {
  const body = SHAPES[shape]?.(bytes);
  let isOver = false;
  let asked = 0;
  let unanswered = 0;
  const probing = (async () => {
    while (!isOver) {
      asked += 1;
      // Told to come back (429) is an answer too.
      if ((await send({ port, path: '/livez', method: 'GET', agent: probes })) === 0) unanswered += 1;
    }
  })();
  const agent = new Agent();
  const status = await send({ port, path, method, headers, agent }, body);
  agent.destroy();
  isOver = true;
  await probing;
  process.send?.({ status, asked, unanswered });
});
