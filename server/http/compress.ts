import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** The best encoding that the request accepts, or null for none. */
export function acceptedEncoding(header: string | undefined): Encoding | null {
  const offered = new Set(
    (header ?? '')
      .toLowerCase()
      .split(',')
      .map((part) => part.trim())
      .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
      .map((part) => part.split(';')[0]?.trim()),
  );
  if (offered.has('br')) return 'br';
  return offered.has('gzip') ? 'gzip' : null;
}

/** `effort` from 1 (each answer anew) to 11 (once for many answers). */
export function compress(bytes: Buffer, encoding: Encoding, effort: number): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: Math.min(9, effort) });
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: effort, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
