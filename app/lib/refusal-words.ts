import { m } from '../paraglide/messages.js';
import { HttpError, isNetworkFailure } from './http.ts';
import { serverWords } from './server-words.ts';

/** Why a command did not go through, for the person who gave it. Nothing of it was done when there is no connection. */
export function errorText(error: unknown): string {
  if (isNetworkFailure(error)) return m.member_needs_connection();
  if (error instanceof HttpError)
    return error.requestId ? `${serverWords(error)} (${error.reason}, ${error.requestId})` : serverWords(error);
  return error instanceof Error ? error.message : String(error);
}
