import type { Request } from 'express';
import type { Encoding } from './compress.ts';

/**
 * The encoding for a request: brotli wherever it is accepted, because it is smaller and browsers name it last; null for
 * none.
 */
export const acceptedEncoding = (req: Pick<Request, 'acceptsEncodings'>): Encoding | null =>
  (['br', 'gzip'] as const).find((encoding) => req.acceptsEncodings(encoding)) ?? null;

/** Whether the request accepts HTML explicitly, as a browser's navigation does. */
export const namesHtml = (req: Pick<Request, 'accepts'>): boolean => req.accepts().includes('text/html');
