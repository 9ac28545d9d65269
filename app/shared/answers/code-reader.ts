import { contextOf, isCanvasReadable } from '../../lib/browser.ts';
import { orReload } from '../../lib/service-worker.ts';

/** Reads the text of the QR code in a frame; null without a readable one. */
export type ReadCode = (video: HTMLVideoElement) => Promise<string | null>;

type Detector = { detect(source: HTMLVideoElement): Promise<{ rawValue: string }[]> };
type DetectorClass = { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> };

/** This browser shows the camera but lets no page read it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

const stays = () => false;
/** Longest side of the frames that our own reader decodes, pixels. */
const LOOKED_AT = 800;

/** The browser's own reader, or a library that is loaded now. @throws {Unreadable} */
export async function codeReader(): Promise<ReadCode> {
  const own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const formats = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own && formats.includes('qr_code')) {
    const detector = new own({ formats: ['qr_code'] });
    // A frame that cannot be read yet counts as one without a code.
    return async (video) => (await detector.detect(video).catch(() => []))[0]?.rawValue ?? null;
  }
  if (!isCanvasReadable()) throw new Unreadable('Canvases are guarded');
  const { decodeQR } = await orReload(import('qr/decode.js'), stays);
  const canvas = document.createElement('canvas');
  const pen = contextOf(canvas, { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, LOOKED_AT / Math.max(video.videoWidth, video.videoHeight, 1));
    const width = Math.round(video.videoWidth * scale);
    const height = Math.round(video.videoHeight * scale);
    if (!pen || width === 0 || height === 0) return null;
    canvas.width = width;
    canvas.height = height;
    pen.drawImage(video, 0, 0, width, height);
    try {
      return decodeQR(pen.getImageData(0, 0, width, height));
    } catch {
      // The library throws when a frame has no code.
      return null;
    }
  };
}
