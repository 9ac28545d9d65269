/** A process that only sends: one message to each address of its order. Says what came of them and how far its memory grew. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSender, type PushWorld, type Result } from '../../server/integrations/push/send.ts';
import { makeVapidKey, vapidHeader } from '../../server/integrations/push/vapid.ts';
import { makeReader } from './push-endpoint.ts';

/** `first` goes before all is measured, so that nothing is loaded and no buffer made for the first time after that. */
export type Order = { ca: string; through: NonNullable<PushWorld['through']>; first: string[]; urls: string[] };
export type Report = { results: Result[]; ms: number; before: Memory; peak: Memory; after: Memory };
type Memory = { rss: number; heap: number; external: number };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const memory = (): Memory => {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { rss, heap: heapUsed, external };
};

const { ca, through, first, urls } = JSON.parse(process.argv[2] ?? '') as Order;
const key = makeVapidKey();
const sender = createSender({ hosts: [], world: { ca, through, isAllowed: () => true } });

function send(endpoints: readonly string[]): Promise<Result[]> {
  const targets = endpoints.map((endpoint, index) => {
    const { keys } = makeReader();
    const [p256dh, auth] = [Buffer.from(keys.p256dh, 'base64url'), Buffer.from(keys.auth, 'base64url')];
    return { id: String(index), endpoint, p256dh, auth, authorization: 0 };
  });
  const authorization = vapidHeader(key, new URL(endpoints[0] ?? '').origin, 'mailto:a@example.org');
  const rest = { text: '{}', ttl: 60, urgency: 'normal', topic: 't', resting: [] } as const;
  return sender.send({ ...rest, targets, authorizations: [authorization] });
}

await send(first);
collect();
const before = memory();
const peak = { ...before };
const watch = setInterval(() => {
  const now = memory();
  for (const what of ['rss', 'heap', 'external'] as const) peak[what] = Math.max(peak[what], now[what]);
}, 10);
const begun = performance.now();
const results = await send(urls);
const ms = performance.now() - begun;
clearInterval(watch);
collect();
const report: Report = { results, ms, before, peak, after: memory() };
process.stdout.write(`${JSON.stringify(report)}\n`);
sender.close();
