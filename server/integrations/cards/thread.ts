import { parentPort } from 'node:worker_threads';
import { drawPng } from './draw.ts';

/** A thread that draws beside the server's own: `{ call, svg }` in, `{ call, png }` or `{ call, failed }` out. */
parentPort?.on('message', ({ call, svg }: { call: number; svg: string }) => {
  drawPng(svg).then(
    (png) => parentPort?.postMessage({ call, png }),
    (error: unknown) => parentPort?.postMessage({ call, failed: String(error) }),
  );
});
