import { IMAGE_BYTES, IMAGE_SIDE_MAX_PX } from '../../../server/contract/limits.ts';

/** Longest sides that are tried, in pixels, the sharpest first. */
const SIDES = [1_600, 1_280, 1_024, 800, 640, 480] as const;
const QUALITIES = [0.85, 0.72, 0.6] as const;
/** Browsers without WebP give something else when they are asked for it; every one has JPEG. */
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
 * Draws a picture anew: small, and without what its camera wrote into it (place, time, device).
 * @param canvas where it is drawn; shows the result
 * @param isWanted false once another picture has taken its place: from then on it draws nothing
 * @returns null when it fits into no size that is tried
 * @throws when this browser cannot read it as a picture
 */
export async function drawAnew(
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
      const pen = canvas.getContext('2d');
      if (!pen) return Promise.resolve(null);
      // What was see-through would turn black in a JPEG.
      pen.fillStyle = '#fff';
      pen.fillRect(0, 0, canvas.width, canvas.height);
      pen.drawImage(source, 0, 0, canvas.width, canvas.height);
      return new Promise((done) => canvas.toBlob(done, type, quality));
    });
  } finally {
    source.close();
  }
}
