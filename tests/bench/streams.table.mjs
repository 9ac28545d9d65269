// @ts-check
/**
 * Streams that open screens follow: a thousand on one process at rest, what they cost in memory and CPU, and how long after its
 * commit a change reaches them all.
 */
import { request } from 'node:http';
import { people, quantile, startInstance, wait } from './instance.mjs';

const STREAMS = 1_000;
const MEMBERS = 200;
const REST_MS = 20_000;
const CHANGES = 10;

export async function measure() {
  const instance = await startInstance();
  const sql = instance.database(2);
  try {
    const members = await people(sql, MEMBERS);
    // The sandbox brings its communities a moment after the start.
    const first = () => sql`select id from communities order by created_at limit 1`;
    let [place] = await first();
    for (const end = Date.now() + 30_000; !place && Date.now() < end; await wait(100)) [place] = await first();
    const communityId = String(place?.['id']);
    await sql`
      insert into community_members (community_id, user_id) select ${communityId}, id from users on conflict do nothing`;
    // The samples are still being made.
    await wait(10_000);
    const before = instance.residentMb();
    /** @type {Map<number, number>} how many heard of each change, and when the last of them did */
    const heard = new Map();
    /** @type {number[]} */
    const delays = [];
    let begun = 0;
    const streams = await Promise.all(
      Array.from({ length: STREAMS }, (_, n) =>
        follow(`${instance.url}/api/communities/${communityId}/live`, String(members[n % MEMBERS]?.['cookie']), () => {
          if (begun === 0) return;
          delays.push(performance.now() - begun);
          heard.set(begun, (heard.get(begun) ?? 0) + 1);
        }),
      ),
    );
    await wait(2_000);
    const resident = instance.residentMb();
    const cpu = instance.cpuMs();
    await wait(REST_MS);
    const atRest = (instance.cpuMs() - cpu) / REST_MS;
    // The instance's own jobs run without any stream, too.
    for (let n = 0; n < CHANGES; n += 1) {
      begun = performance.now();
      await sql`
        insert into announcements (community_id, title, body, created_by)
        select ${communityId}, 'A change', 'Of many', user_id from community_members
        where community_id = ${communityId} limit 1`;
      await wait(3_000);
    }
    for (const stream of streams) stream.destroy();
    await wait(2_000);
    const idle = instance.cpuMs();
    await wait(REST_MS);
    const alone = (instance.cpuMs() - idle) / REST_MS;
    return [
      { metric: `${STREAMS} streams: memory`, ours: resident - before, unit: 'MB', most: 60 },
      {
        metric: `${STREAMS} streams: CPU at rest beyond that without them`,
        ours: (atRest - alone) * 100,
        unit: '% of a core',
        most: 5,
      },
      { metric: 'a change until it is heard, p50', ours: quantile(delays, 0.5), unit: 'ms' },
      { metric: 'a change until it is heard, p99', ours: quantile(delays, 0.99), unit: 'ms', most: 2_000 },
      { metric: `changes heard, of ${STREAMS * CHANGES}`, ours: delays.length, unit: '', least: STREAMS * CHANGES },
    ];
  } finally {
    await sql.end({ timeout: 2 });
    await instance.remove();
  }
}

/**
 * Opens a stream and calls back for each change. @param {string} url @param {string} cookie @param {() => void} onChange
 * @returns {Promise<import('node:http').ClientRequest>}
 */
const follow = (url, cookie, onChange) =>
  new Promise((done, fail) => {
    const asked = request(url, { agent: false, headers: { cookie, accept: 'text/event-stream' } }, (answer) => {
      if (answer.statusCode !== 200) return fail(new Error(`a stream was answered ${answer.statusCode}`));
      answer.setEncoding('utf8').on('data', (text) => {
        if (String(text).includes('event: change')) onChange();
      });
      answer.on('error', () => {});
      done(asked);
    });
    asked.on('error', () => {});
    asked.end();
  });
