/** Segments of a JPEG in which a camera or a program writes about it: EXIF and XMP, IPTC, comments. */
const ABOUT = new Set([0xe1, 0xed, 0xfe]);
const START_OF_SCAN = 0xda;

/**
 * A JPEG without what was written about it: place, time, device, and how it was held, so that it may lie on its side. The
 * server leaves the same out, and of other types all of it. In one piece: Firefox tells what a `Blob` is by its first part alone,
 * and calls one that begins with two bytes no picture.
 */
export async function withoutMetadata(file: Blob): Promise<Blob> {
  if (file.type !== 'image/jpeg') return file;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== START_OF_SCAN) {
    const end = at + 2 + (bytes[at + 2] ?? 0) * 256 + (bytes[at + 3] ?? 0);
    if (!ABOUT.has(bytes[at + 1] ?? 0)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  parts.push(bytes.subarray(at));
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let length = 0;
  for (const part of parts) {
    whole.set(part, length);
    length += part.length;
  }
  return new Blob([whole], { type: file.type });
}
