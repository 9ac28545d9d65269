import { describe, expect, it } from 'vitest';
import { IMAGE_SIDE_MAX_PX } from '../../server/contract/limits.ts';
import { readPicture } from '../../server/features/images/inspect.ts';
import { fc, runs } from '../support/chance.ts';
import { JPEG, WEBP, WEBP_ALPHA, WEBP_LOSSLESS } from '../support/pictures.ts';

const KNOWN = [
  ['JPEG', 'image/jpeg', JPEG],
  ['lossy WebP', 'image/webp', WEBP],
  ['WebP with an alpha channel', 'image/webp', WEBP_ALPHA],
  ['lossless WebP', 'image/webp', WEBP_LOSSLESS],
] as const;

const segment = (marker: number, body: string) => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([head, Buffer.from(body, 'latin1')]);
};
const withSegment = (part: Buffer) => Buffer.concat([JPEG.subarray(0, 2), part, JPEG.subarray(2)]);
const chunk = (name: string, body: string) => {
  const head = Buffer.from(`${name}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, Buffer.from(body.length % 2 ? `${body}\0` : body, 'latin1')]);
};
/** With the length in its head mended, and the flags of metadata set. */
const withChunk = (part: Buffer) => {
  const bytes = Buffer.concat([WEBP, part]);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes[20] = (bytes[20] ?? 0) | 0x0c;
  return bytes;
};

describe('a picture', () => {
  it.each(KNOWN)('is a %s from a canvas, byte by byte', (_, type, bytes) => {
    expect(readPicture(type, bytes)).toEqual({ width: 24, height: 16, bytes });
  });

  it.each(KNOWN)('is no %s when it is called something else, cut off, or followed by anything', (_, type, bytes) => {
    expect(readPicture(type === 'image/jpeg' ? 'image/webp' : 'image/jpeg', bytes)).toBe(null);
    for (let length = 0; length < bytes.length; length += 1)
      expect(readPicture(type, bytes.subarray(0, length))).toBe(null);
    for (const tail of ['\0', '<script>alert(1)</script>', 'PK\x03\x04']) {
      expect(readPicture(type, Buffer.concat([bytes, Buffer.from(tail)]))).toBe(null);
      expect(readPicture(type, Buffer.concat([Buffer.from(tail), bytes]))).toBe(null);
    }
  });

  it.each([
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['GIF', 'GIF89a\x01\0\x01\0\0\0\0;'],
    ['PNG', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['PDF', '%PDF-1.7'],
    ['a GIF that is a script', 'GIF89a=1;alert(1)//'],
    ['RIFF that is sound', 'RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0data\0\0\0\0'],
    ['nothing', ''],
  ])('is not %s', (_, text) => {
    const bytes = Buffer.from(text, 'latin1');
    expect(readPicture('image/jpeg', bytes)).toBe(null);
    expect(readPicture('image/webp', bytes)).toBe(null);
  });

  it('loses what was written about it', () => {
    for (const [marker, body] of [
      [0xe1, 'Exif\0\0 GPS 52.5200 13.4050'],
      [0xe1, 'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>'],
      [0xfe, '<script>alert(1)</script>'],
      [0xed, 'Photoshop 3.0'],
      [0xe0, 'JFXX\0 a thumbnail'],
    ] as const) {
      expect(readPicture('image/jpeg', withSegment(segment(marker, body)))?.bytes).toEqual(JPEG);
    }
    for (const part of [chunk('EXIF', 'GPS 52.5200'), chunk('XMP ', '<x:xmpmeta/>')]) {
      expect(readPicture('image/webp', withChunk(part))?.bytes).toEqual(WEBP);
    }
  });

  it('has no parts that nobody knows, no second picture, and does not move', () => {
    expect(readPicture('image/webp', withChunk(chunk('ANIM', '\0\0\0\0\0\0')))).toBe(null);
    expect(readPicture('image/webp', withChunk(chunk('JUNK', '<script>')))).toBe(null);
    expect(readPicture('image/webp', withChunk(chunk('VP8 ', 'twice')))).toBe(null);
    const moving = Buffer.from(WEBP);
    moving[20] = (moving[20] ?? 0) | 0x02;
    expect(readPicture('image/webp', moving)).toBe(null);
    const inner = JPEG.subarray(0, -2);
    expect(readPicture('image/jpeg', Buffer.concat([inner, JPEG]))).toBe(null);
    expect(readPicture('image/jpeg', withSegment(segment(0xc9, 'arithmetic')))).toBe(null);
  });

  it('is of a size that can be shown', () => {
    const jpeg = (width: number, height: number) => {
      const bytes = Buffer.from(JPEG);
      const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]));
      bytes.writeUInt16BE(height, frame + 5);
      bytes.writeUInt16BE(width, frame + 7);
      return readPicture('image/jpeg', bytes);
    };
    expect(jpeg(IMAGE_SIDE_MAX_PX, 1)).toMatchObject({ width: IMAGE_SIDE_MAX_PX, height: 1 });
    for (const [width, height] of [
      [0, 16],
      [24, 0],
      [IMAGE_SIDE_MAX_PX + 1, 1],
      [65_535, 65_535],
    ] as const) {
      expect(jpeg(width, height)).toBe(null);
    }
    const canvas = Buffer.from(WEBP);
    canvas.writeUIntLE(999, 24, 3);
    expect(readPicture('image/webp', canvas)).toBe(null);
  });

  it('never upsets its reader, whatever bytes come', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...KNOWN),
        fc.array(fc.record({ at: fc.nat(1_300), value: fc.nat(255) }), { minLength: 1, maxLength: 6 }),
        ([, type, bytes], changes) => {
          const changed = Buffer.from(bytes);
          for (const { at, value } of changes) changed[at % changed.length] = value;
          const picture = readPicture(type, changed);
          // What passes once passes as it is.
          return picture === null || readPicture(type, picture.bytes)?.bytes.equals(picture.bytes) === true;
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});
