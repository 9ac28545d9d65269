import type { ApiError } from '../server/contract/errors.ts';
import { BUILD_HEADER } from '../server/contract/sw-messages.ts';

/**
 * Whether an answer is the product's own word. Proxies, gateways and hotels answer in their own name, with any status and
 * any content: that is no answer at all. It acknowledges and refuses nothing, ends no session, and is neither shown nor
 * stored. Each answer of the server's names its build (`server/http/headers.ts`), an error has its envelope besides
 * (`server/contract/errors.ts`), and the API answers with no page. Asked before the answer is read.
 */
export async function isOwnWord(response: Response): Promise<boolean> {
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
