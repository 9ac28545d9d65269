import { expect, test } from 'vitest';
import { withoutMetadata } from '../../../app/shared/answers/metadata.ts';

/** Firefox tells what a `Blob` is by the first of its parts; so does this one. */
const first: Uint8Array[] = [];
class Parts extends Blob {
  constructor(parts: BlobPart[] = [], options: BlobPropertyBag = {}) {
    super(parts, options);
    if (parts[0] instanceof Uint8Array) first.push(parts[0]);
  }
}

test('a JPEG without its metadata begins as a JPEG in its first part already, and keeps all of its picture', async () => {
  const segment = (kind: number, ...content: number[]) => [0xff, kind, 0, content.length + 2, ...content];
  const jfif = segment(0xe0, 0x4a, 0x46, 0x49, 0x46, 0);
  const table = segment(0xdb, 1, 2, 3);
  const scan = [...segment(0xda, 1), 9, 8, 7, 0xff, 0xd9];
  const exif = segment(0xe1, ...new TextEncoder().encode('Exif: 59.437, 24.745'));
  const whole = globalThis.Blob;
  const file = new whole([new Uint8Array([0xff, 0xd8, ...jfif, ...exif, ...table, ...scan])], { type: 'image/jpeg' });
  globalThis.Blob = Parts;
  const kept = await withoutMetadata(file).finally(() => {
    globalThis.Blob = whole;
  });
  expect(kept.type).toBe('image/jpeg');
  expect([...(first.at(-1) ?? [])]).toEqual([0xff, 0xd8, ...jfif, ...table, ...scan]);
  expect(kept.size).toBe(first.at(-1)?.length);
});
