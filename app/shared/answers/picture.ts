import { IMAGE_BYTES, IMAGE_SIDE_MAX_PX } from '../../../server/contract/limits.ts';
import { contextOf, isCanvasReadable } from '../../lib/browser.ts';
import { withoutMetadata } from './metadata.ts';

/** Longest sides to try, in pixels, the sharpest first. */
const SIDES = [1_600, 1_280, 1_024, 800, 640, 480] as const;
const QUALITIES = [0.85, 0.72, 0.6] as const;
/** Browsers without WebP return another type; all have JPEG. */
const TYPES = ['image/webp', 'image/jpeg'] as const;

export type Encode = (longest: number, type: string, quality: number) => Promise<Blob | null>;

/** The sharpest encoding that fits into `IMAGE_BYTES`; null when none does. */
export async function fitting(encode: Encode): Promise<Blob | null> {
  for (const side of SIDES)
    for (const quality of QUALITIES)
      for (const type of TYPES) {
        const blob = await encode(side, type, quality);
        if (blob?.type !== type) continue;
        if (blob.size <= IMAGE_BYTES) return blob;
        break;
      }
  return null;
}

/**
 * Redraws a picture small and without its metadata (location, time, device).
 * @param canvas where it is drawn
 * @param isWanted false once another picture has replaced it: from then on nothing is drawn
 * @returns null when no size fits
 * @throws when this browser cannot read it as a picture
 */
export async function redraw(
  file: Blob,
  canvas: HTMLCanvasElement,
  isWanted: () => boolean = () => true,
): Promise<Blob | null> {
  const source = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    return await fitting((longest, type, quality) => {
      if (!isWanted()) return Promise.resolve(null);
      const scale = Math.min(1, Math.min(longest, IMAGE_SIDE_MAX_PX) / Math.max(source.width, source.height));
      canvas.width = Math.max(1, Math.round(source.width * scale));
      canvas.height = Math.max(1, Math.round(source.height * scale));
      const pen = contextOf(canvas);
      if (!pen) return Promise.resolve(null);
      // Transparent areas would turn black in a JPEG.
      pen.fillStyle = '#fff';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(source, 0, 0, canvas.width, canvas.height);
      return new Promise((done) => canvas.toBlob(done, type, quality));
    });
  } finally {
    source.close();
  }
}

/** The result for a chosen file; `untrue`: this browser returns noise for it, and it cannot be sent unchanged. */
export type Taken = { kind: 'ready'; picture: Blob } | { kind: 'too_large' | 'untrue' };

/**
 * Turns a file into the picture to send, and shows exactly that on the canvas. Where the browser protects canvases from
 * reading, a small enough file is sent unchanged, without its metadata.
 * @throws when this browser cannot read it as a picture
 */
export async function takePicture(file: Blob, canvas: HTMLCanvasElement, isWanted: () => boolean): Promise<Taken> {
  const isDrawn = isCanvasReadable();
  const picture = isDrawn ? await redraw(file, canvas, isWanted) : await unchanged(file);
  if (picture === null) return { kind: isDrawn ? 'too_large' : 'untrue' };
  await show(picture, canvas, isWanted);
  return { kind: 'ready', picture };
}

/** The file without metadata, or null where the server would refuse it. */
async function unchanged(file: Blob): Promise<Blob | null> {
  if (!TYPES.some((type) => type === file.type)) return null;
  const picture = await withoutMetadata(file);
  const { width, height } = await sizeOf(picture);
  return picture.size <= IMAGE_BYTES && Math.max(width, height) <= IMAGE_SIDE_MAX_PX ? picture : null;
}

async function sizeOf(picture: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(picture);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/** Draws the bytes themselves: the preview is what is sent. @throws when this browser cannot read the picture */
export async function show(picture: Blob, canvas: HTMLCanvasElement, isWanted = () => true): Promise<void> {
  const bitmap = await createImageBitmap(picture);
  if (isWanted()) {
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    contextOf(canvas)?.drawImage(bitmap, 0, 0);
  }
  bitmap.close();
}
