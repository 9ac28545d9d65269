// @ts-check
/** Who I am, with a session, beside Express 5 that answers a constant: the same bytes, the same run, by turns. */
import { spawn } from 'node:child_process';
import { cpuMsOf, freePort, median, people, root, startInstance, wait } from './instance.mjs';
import { flood, send } from './load.mjs';

const ROUNDS = 3;
const SECONDS = 3;

export async function measure() {
  const instance = await startInstance();
  const sql = instance.database();
  const members = await people(sql, 400);
  await sql.end();
  const port = await freePort();
  const answer = await fetch(`${instance.url}/api/auth/user`, { headers: { cookie: members[0]?.cookie ?? '' } });
  const body = await answer.text();
  const peer = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import express from 'express';
       const body = ${JSON.stringify(body)};
       express().get('/', (_req, res) => res.type('json').send(body)).listen(${port}, '127.0.0.1');`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } },
  );
  try {
    while (!(await fetch(`http://127.0.0.1:${port}/`).catch(() => null))?.ok) await wait(20);
    let turn = 0;
    const ask = () =>
      send(`${instance.url}/api/auth/user`, { headers: { cookie: members[turn++ % 400]?.cookie ?? '' } });
    const askPeer = () => send(`http://127.0.0.1:${port}/`);
    await flood(1, ask);
    await flood(1, askPeer);
    /** @type {{ ours: number, oursCpu: number, peer: number, peerCpu: number }[]} */
    const rounds = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = instance.cpuMs();
      const ours = await flood(SECONDS, ask);
      const oursCpu = (instance.cpuMs() - before) / ours.count;
      const peerBefore = cpuMsOf(peer.pid);
      const theirs = await flood(SECONDS, askPeer);
      rounds.push({
        ours: ours.perSecond,
        oursCpu,
        peer: theirs.perSecond,
        peerCpu: (cpuMsOf(peer.pid) - peerBefore) / theirs.count,
      });
    }
    return [
      {
        metric: 'GET /api/auth/user',
        ours: median(rounds.map(({ ours }) => ours)),
        unit: 'req/s',
        peer: median(rounds.map((round) => round.peer)),
        share: 0.6,
      },
      {
        metric: 'CPU a request, Node and PostgreSQL',
        ours: median(rounds.map(({ oursCpu }) => oursCpu)),
        unit: 'ms',
        most: 0.3,
      },
      { metric: 'CPU a request of the peer', ours: median(rounds.map(({ peerCpu }) => peerCpu)), unit: 'ms' },
    ];
  } finally {
    peer.kill();
    await instance.remove();
  }
}
