import { parentPort, workerData } from 'node:worker_threads';
import { type Batch, createSender, type SenderOptions } from './send.ts';

/** A thread that encrypts and sends beside the server's own: `{ call, batch }` in, `{ call, results }` out. */
const sender = createSender(workerData as SenderOptions);
parentPort?.on('message', ({ call, batch }: { call: number; batch: Batch }) => {
  void sender.send(batch).then((results) => parentPort?.postMessage({ call, results }));
});
