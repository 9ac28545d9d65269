import { m } from '../paraglide/messages.js';
import { HttpError, isNetworkFailure } from './http.ts';
import { serverWords } from './server-words.ts';

/** Why a command failed, for its sender. Without a connection nothing was changed. */
export function errorText(error: unknown): string {
  if (isNetworkFailure(error)) return m.member_needs_connection();
  if (error instanceof HttpError)
    return error.requestId ? `${serverWords(error)} (${error.reason}, ${error.requestId})` : serverWords(error);
  return error instanceof Error ? error.message : String(error);
}
