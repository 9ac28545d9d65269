import type { ApiError } from '../server/contract/errors.ts';
import { BUILD_HEADER } from '../server/contract/sw-messages.ts';

/**
 * Whether the response comes from this product's server. Proxies, gateways and captive portals answer with any status
 * and content: such a response acknowledges and refuses nothing, ends no session, and is neither shown nor stored.
 * Every response of the server names its build (`server/http/headers.ts`), an error also has its envelope
 * (`server/contract/errors.ts`), and the API never answers with HTML. Call it before the body is read.
 */
export async function isOwnResponse(response: Response): Promise<boolean> {
  const { headers, ok } = response;
  const type = headers.get('content-type') ?? '';
  if (!headers.has(BUILD_HEADER)) return false;
  if (ok) return !type.includes('html');
  const body: Partial<ApiError> | null = type.includes('json')
    ? await response
        .clone()
        .json()
        .catch(() => null)
    : null;
  return typeof body?.reason === 'string';
}
