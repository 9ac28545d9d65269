import { join } from 'node:path';
import { inOwnThread, oneByOne } from '../../base/own-thread.ts';
import { CARDS_CACHED, CARDS_WAITING_MAX } from '../../contract/open-limits.ts';
import { lru } from '../../domain/lru.ts';
import { type CardWords, cardSvg } from './svg.ts';

const THREAD = join(import.meta.dirname, 'card-thread.js');
/** Some sixty megabytes, for the renderer and its fonts, that its end gives back. */
const drawInThread = inOwnThread<string, Uint8Array>(THREAD, async (svg) => (await import('./draw.ts')).drawPng(svg));

export type Cards = {
  /** The card as PNG, drawn once and cached. Throws `TooManyWait`. */
  draw(words: CardWords): Promise<Buffer>;
};

/** Draws one card at a time per process. */
export function createCards(paint: (svg: string) => Promise<Uint8Array> = drawInThread): Cards {
  const cache = lru<Promise<Buffer> | null>(CARDS_CACHED);
  const paintQueued = oneByOne(paint, CARDS_WAITING_MAX);
  return {
    draw(words) {
      const svg = cardSvg(words);
      const cached = cache.get(svg);
      if (cached) return cached;
      const drawn = paintQueued(svg).then((png) => Buffer.from(png));
      void cache.set(svg, drawn);
      // A failure is not cached: the next request tries again.
      drawn.catch(() => cache.set(svg, null));
      return drawn;
    },
  };
}
