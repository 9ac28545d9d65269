/** JPEG segments with metadata: EXIF and XMP, IPTC, comments. */
const ABOUT = new Set([0xe1, 0xed, 0xfe]);
const START_OF_SCAN = 0xda;

/**
 * A JPEG without metadata: location, time, device, and orientation, so it may appear rotated. The server removes the
 * same, and all metadata of other types. The result is one chunk: Firefox detects a `Blob`'s type from its first part
 * only, and two bytes are not enough.
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
