import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { CARDS_KEPT, CARDS_WAITING_MAX } from '../../contract/open-limits.ts';
import { lru } from '../../domain/lru.ts';
import { type CardWords, cardSvg } from './svg.ts';

/** Built beside the server's own files; from the sources there is none, and this thread draws. */
const THREAD = join(import.meta.dirname, 'card-thread.js');
/** A thread that has nothing to do gives its memory back: the renderer and its fonts are sixty megabytes. */
const ENDS_AFTER_MS = 30_000;

/** Too many pictures are waited for. */
export class CardsBusy extends Error {}

export type Cards = {
  /** The card as PNG. Each is drawn once and kept. Throws `CardsBusy`. */
  draw(words: CardWords): Promise<Buffer>;
};

type Painter = { paint(svg: string): Promise<Uint8Array> };

/** One card is drawn at a time in a process, whoever asks: strangers cost it at most one core, and never the event loop. */
export function createCards(painter: Painter = existsSync(THREAD) ? inThread(THREAD) : here()): Cards {
  const kept = lru<Promise<Buffer> | null>(CARDS_KEPT);
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return {
    draw(words) {
      const svg = cardSvg(words);
      const known = kept.get(svg);
      if (known) return known;
      if (waiting >= CARDS_WAITING_MAX) return Promise.reject(new CardsBusy('too many cards are waited for'));
      waiting += 1;
      const drawn = last.then(() => painter.paint(svg)).then((png) => Buffer.from(png));
      last = drawn.catch(() => undefined).then(() => (waiting -= 1));
      void kept.set(svg, drawn);
      // Not kept: the next one tries again.
      drawn.catch(() => kept.set(svg, null));
      return drawn;
    },
  };
}

const here = (): Painter => ({ paint: async (svg) => (await import('./draw.ts')).drawPng(svg) });

function inThread(path: string): Painter {
  let worker: Worker | null = null;
  let rest: ReturnType<typeof setTimeout> | undefined;
  let call = 0;
  return {
    paint: (svg) =>
      new Promise((done, fail) => {
        clearTimeout(rest);
        call += 1;
        const mine = call;
        const thread = worker ?? new Worker(path);
        worker = thread;
        thread.unref();
        const end = () => {
          thread.off('message', onMessage).off('error', onError);
          rest = setTimeout(() => {
            worker = null;
            void thread.terminate();
          }, ENDS_AFTER_MS).unref();
        };
        const onMessage = (told: { call: number; png?: Uint8Array; failed?: string }) => {
          if (told.call !== mine) return;
          end();
          if (told.png) done(told.png);
          else fail(new Error(told.failed));
        };
        const onError = (error: Error) => {
          worker = null;
          thread.off('message', onMessage).off('error', onError);
          fail(error);
        };
        thread.on('message', onMessage).on('error', onError).ref();
        thread.postMessage({ call: mine, svg });
      }),
  };
}
