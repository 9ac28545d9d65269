import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { addToZip, crc32, emptyZip, type ZipEntry, zipEnd, zipEntry } from '../../server/rules/zip.ts';

const AT = new Date('2026-11-26T10:20:30Z');
const file = (name: string, text: string, isDeflated = false): ZipEntry => {
  const bytes = new TextEncoder().encode(text);
  return { name, bytes, at: AT, ...(isDeflated && { deflated: new Uint8Array(deflateRawSync(bytes)) }) };
};
const archiveOf = (files: ZipEntry[]) => {
  const zip = emptyZip();
  const parts = files.map((one) => zipEntry(zip, one));
  return new Blob([...parts, zipEnd(zip)]);
};

test('the checksum is the one that everybody computes', () => {
  expect(crc32(new TextEncoder().encode('123456789')).toString(16)).toBe('cbf43926');
  expect(crc32(new Uint8Array())).toBe(0);
});

test('what is added to an archive stands in it as if it had been written with the rest', async () => {
  const [first, second, third] = [
    file('a.json', '{}'.repeat(500), true),
    file('b/ü.json', '[]'),
    file('c.txt', 'more'),
  ];
  const added = await addToZip(await addToZip(archiveOf([first]), second), third);
  const whole = archiveOf([first, second, third]);
  expect(Buffer.from(await added.arrayBuffer()).equals(Buffer.from(await whole.arrayBuffer()))).toBe(true);
});

test('a deflated copy is used where it is smaller, and no other archive is added to', async () => {
  const long = file('a', 'again and '.repeat(100), true);
  expect(archiveOf([long]).size).toBeLessThan(300);
  const short = file('a', 'x', true);
  expect(Buffer.from(await archiveOf([short]).arrayBuffer()).includes('x')).toBe(true);
  await expect(addToZip(new Blob(['<html>a page of somebody between</html>']), short)).rejects.toThrow('no archive');
});
