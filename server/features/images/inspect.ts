import { IMAGE_SIDE_MAX_PX } from '../../contract/limits.ts';

export type ImageType = 'image/webp' | 'image/jpeg';
/** A picture and nothing else: what is stored are `bytes`, without what a camera or a program wrote about it. */
export type Picture = { width: number; height: number; bytes: Buffer };

/** Whether each side is from 1 to `IMAGE_SIDE_MAX_PX`. */
const fits = ({ width, height }: Picture): boolean =>
  [width, height].every((side) => side >= 1 && side <= IMAGE_SIDE_MAX_PX);

/** The sides of a picture that is whole but has too many pixels, else null. */
export function tooManyPixels(type: ImageType, bytes: Buffer): Pick<Picture, 'width' | 'height'> | null {
  const picture = parse(type, bytes);
  return picture !== null && Math.max(picture.width, picture.height) > IMAGE_SIDE_MAX_PX ? picture : null;
}

/**
 * Reads a picture by its content from first to last byte; null unless all of it is of the type: no other formats,
 * animations, unknown parts or extra bytes. Metadata (EXIF with locations, XMP, comments) is removed: some browsers
 * write it even into canvas pictures.
 */
export function readPicture(type: ImageType, bytes: Buffer): Picture | null {
  const picture = parse(type, bytes);
  return picture !== null && fits(picture) ? picture : null;
}

const parse = (type: ImageType, bytes: Buffer): Picture | null =>
  type === 'image/jpeg' ? readJpeg(bytes) : readWebp(bytes);

const START_OF_FRAME = new Set([0xc0, 0xc1, 0xc2]);
/** Tables, restart interval, start of scan. */
const ALLOWED_SEGMENTS = new Set([0xdb, 0xc4, 0xdd, 0xda]);

function readJpeg(bytes: Buffer): Picture | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return null;
  const parts = [bytes.subarray(0, 2)];
  let size: { width: number; height: number } | null = null;
  let scans = 0;
  let at = 2;
  while (at + 4 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    if (end > bytes.length || end < at + 4) return null;
    const segment = bytes.subarray(at, end);
    const body = segment.subarray(4);
    if (START_OF_FRAME.has(marker)) {
      if (size !== null || body.length < 6) return null;
      size = { height: body.readUInt16BE(1), width: body.readUInt16BE(3) };
      parts.push(segment);
    } else if (ALLOWED_SEGMENTS.has(marker) || isDescription(marker, body)) parts.push(segment);
    else if (!isMetadata(marker)) return null;
    at = end;
    if (marker !== 0xda) continue;
    if (size === null) return null;
    const next = endOfScan(bytes, at);
    if (next === null) return null;
    parts.push(bytes.subarray(at, next));
    scans += 1;
    at = next;
    if (bytes[at + 1] === 0xd9) {
      parts.push(bytes.subarray(at, at + 2));
      return at + 2 === bytes.length && scans > 0 ? { ...size, bytes: Buffer.concat(parts) } : null;
    }
  }
  return null;
}

/** How to read the colours: JFIF without a thumbnail, an ICC profile, Adobe's transform. */
const isDescription = (marker: number, body: Buffer): boolean =>
  (marker === 0xe0 && body.length === 14 && body.subarray(0, 5).equals(Buffer.from('JFIF\0'))) ||
  (marker === 0xe2 && body.subarray(0, 12).equals(Buffer.from('ICC_PROFILE\0'))) ||
  (marker === 0xee && body.length === 12 && body.subarray(0, 5).equals(Buffer.from('Adobe')));
/** Every other application's segment, and comments. */
const isMetadata = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/** Where the marker after a scan's data begins; within the data, 0xff is followed by 0 or by a restart. */
function endOfScan(bytes: Buffer, from: number): number | null {
  for (let at = bytes.indexOf(0xff, from); at >= 0 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 2)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return null;
}

type Size = { width: number; height: number };
const EXTENDED = 'VP8X';
const ALLOWED_CHUNKS = new Set([EXTENDED, 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);
const WEBP_METADATA = new Set(['EXIF', 'XMP ']);
const FLAG_ANIMATION = 0x02;
const FLAGS_METADATA = 0x0c;

function readWebp(bytes: Buffer): Picture | null {
  if (bytes.length < 20 || bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return null;
  }
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return null;
  const parts: Buffer[] = [];
  const seen = new Set<string>();
  let canvas: Size | null = null;
  let frame: Size | null = null;
  let at = 12;
  while (at + 8 <= bytes.length) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length || seen.has(name)) return null;
    seen.add(name);
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (ALLOWED_CHUNKS.has(name)) parts.push(Buffer.from(bytes.subarray(at, end)));
    else if (!WEBP_METADATA.has(name)) return null;
    if (name === EXTENDED) {
      if (at !== 12 || length !== 10 || ((body[0] ?? 0) & FLAG_ANIMATION) !== 0) return null;
      canvas = { width: body.readUIntLE(4, 3) + 1, height: body.readUIntLE(7, 3) + 1 };
      const copy = parts.at(-1);
      if (copy) copy[8] = (body[0] ?? 0) & ~FLAGS_METADATA;
    } else if (name === 'VP8 ' || name === 'VP8L') {
      if (frame !== null) return null;
      frame = name === 'VP8 ' ? lossySize(body) : losslessSize(body);
      if (frame === null) return null;
    } else if (canvas === null) return null;
    at = end;
  }
  if (at !== bytes.length || frame === null) return null;
  if (canvas && (canvas.width !== frame.width || canvas.height !== frame.height)) return null;
  const content = Buffer.concat(parts);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(content.length + 4, 4);
  return { ...frame, bytes: Buffer.concat([head, content]) };
}

/** A key frame of VP8 (RFC 6386). */
function lossySize(body: Buffer): Size | null {
  if (body.length < 10 || ((body[0] ?? 1) & 1) !== 0 || body.readUIntBE(3, 3) !== 0x9d012a) return null;
  return { width: body.readUInt16LE(6) & 0x3fff, height: body.readUInt16LE(8) & 0x3fff };
}

/** The header of WebP's lossless format: 14 bits each, minus one. */
function losslessSize(body: Buffer): Size | null {
  if (body.length < 5 || body[0] !== 0x2f) return null;
  const bits = body.readUInt32LE(1);
  if (bits >>> 29 !== 0) return null;
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
