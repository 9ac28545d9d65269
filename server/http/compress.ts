import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip';

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** `effort` from 1 (for one answer) to 11 (compressed once for many). */
export function compress(bytes: Buffer, encoding: Encoding, effort: number): Promise<Buffer> {
  if (encoding === 'gzip') return deflate(bytes, { level: Math.min(9, effort) });
  return brotli(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: effort, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
}
