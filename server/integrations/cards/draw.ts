import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const { resolve } = createRequire(import.meta.url);
const FONTS = ['latin', 'latin-ext', 'cyrillic', 'cyrillic-ext', 'greek', 'vietnamese'];

let ready: Promise<Uint8Array[]> | null = null;

/** Loads the renderer and the fonts of the product, once for each thread. */
async function load(): Promise<Uint8Array[]> {
  await initWasm(readFileSync(resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return FONTS.map((name) =>
    readFileSync(resolve(`@fontsource-variable/geologica/files/geologica-${name}-wght-normal.woff2`)),
  );
}

/** Draws our own markup as a PNG. It takes some hundred milliseconds of one core, so a thread does it. */
export async function drawPng(svg: string): Promise<Uint8Array> {
  ready ??= load();
  const image = new Resvg(svg, { font: { fontBuffers: await ready, defaultFontFamily: 'Geologica' } });
  const drawn = image.render();
  try {
    return drawn.asPng();
  } finally {
    drawn.free();
    image.free();
  }
}
