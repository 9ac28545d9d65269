import { registerQuotaErrorCallback } from 'workbox-core';
import { PUBLIC_PARTITION } from './member.ts';

/**
 * Makes room when the disk is full, a step each time: images first, then public reads. What the member did lies in the
 * device's database, which no step touches.
 */
async function makeRoom(): Promise<void> {
  if ((await dropImages()) === 0) await caches.delete(PUBLIC_PARTITION);
}

/** Answers how many it dropped. */
async function dropImages(): Promise<number> {
  let dropped = 0;
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    const images = (await cache.keys()).filter(({ url }) => /\.(png|jpe?g|webp)$/.test(new URL(url).pathname));
    await Promise.all(images.map((image) => cache.delete(image)));
    dropped += images.length;
  }
  return dropped;
}

/** Workbox runs it after a copy did not fit. */
export const makeRoomWhenFull = (): void => registerQuotaErrorCallback(makeRoom);
