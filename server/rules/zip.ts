/**
 * ZIP as everything opens it (PKWARE's APPNOTE 6.3.10): plain entries with their sizes up front, no ZIP64. Used by the server
 * for an archive and by the device, which adds its own files to it.
 */
export type ZipEntry = {
  /** With `/` between folders. */
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** The same, deflated without a header, where that made it smaller. */
  deflated?: Uint8Array<ArrayBuffer>;
  at: Date;
};

/** What fits: more than 65,535 entries or 4 GiB would need ZIP64. */
export const ZIP_ENTRIES_MAX = 60_000;
export const ZIP_BYTES_MAX = 4_000_000_000;

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const END_BYTES = 22;
/** Names are UTF-8. */
const FLAGS = 0x0800;
const NEEDS = 20;

const TABLE = /* @__PURE__ */ Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit += 1) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

/** CRC-32 as ZIP counts it. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** Date and time as MS-DOS had them, in UTC. */
function dosTime(at: Date): [time: number, date: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

type Field = [bytes: 2 | 4, value: number];
function record(fields: readonly Field[], ...rest: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const head = fields.reduce((sum, [bytes]) => sum + bytes, 0);
  const all = new Uint8Array(rest.reduce((sum, { length }) => sum + length, head));
  const view = new DataView(all.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  for (const part of rest) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** State of an archive being written: its directory entries and its length so far. */
export type ZipState = { directory: Uint8Array<ArrayBuffer>[]; entries: number; bytes: number };
export const emptyZip = (): ZipState => ({ directory: [], entries: 0, bytes: 0 });

/** The bytes of one more entry, to be written next; `state` takes note of it. */
export function zipEntry(state: ZipState, { name, bytes, deflated, at }: ZipEntry): Uint8Array<ArrayBuffer> {
  const called = new TextEncoder().encode(name);
  const data = deflated && deflated.length < bytes.length ? deflated : bytes;
  const [time, date] = dosTime(at);
  const common: Field[] = [
    [2, NEEDS],
    [2, FLAGS],
    [2, data === bytes ? 0 : 8],
    [2, time],
    [2, date],
    [4, crc32(bytes)],
    [4, data.length],
    [4, bytes.length],
    [2, called.length],
    [2, 0],
  ];
  const written = record([[4, LOCAL], ...common], called, data);
  const locator: Field[] = [
    [2, 0],
    [2, 0],
    [2, 0],
    [4, 0],
    [4, state.bytes],
  ];
  state.directory.push(record([[4, CENTRAL], [2, NEEDS], ...common, ...locator], called));
  state.entries += 1;
  state.bytes += written.length;
  return written;
}

/** The directory and the end, after the last entry. */
export function zipEnd({ directory, entries, bytes }: ZipState): Uint8Array<ArrayBuffer> {
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return record(
    [],
    ...directory,
    record([
      [4, END],
      [2, 0],
      [2, 0],
      [2, entries],
      [2, entries],
      [4, size],
      [4, bytes],
      [2, 0],
    ]),
  );
}

/** An archive of ours with one more entry. Only its end is read into memory. @throws where it is no such archive */
export async function addToZip(archive: Blob, entry: ZipEntry): Promise<Blob> {
  const end = new DataView(await archive.slice(-END_BYTES).arrayBuffer());
  if (end.byteLength !== END_BYTES || end.getUint32(0, true) !== END) throw new Error('this is no archive of ours');
  const [entries, size, at] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)];
  const directory = new Uint8Array(await archive.slice(at, at + size).arrayBuffer());
  const state: ZipState = { directory: [directory], entries, bytes: at };
  const added = zipEntry(state, entry);
  return new Blob([archive.slice(0, at), added, zipEnd(state)], { type: 'application/zip' });
}
