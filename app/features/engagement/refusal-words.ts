import { HttpError, isNetworkFailure } from '../../lib/http.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';

/** Why a command did not go through, for the person who gave it. Nothing of it was done when there is no connection. */
export function refusalWords(error: unknown): string {
  if (isNetworkFailure(error)) return m.member_needs_connection();
  if (error instanceof HttpError)
    return error.requestId ? `${serverWords(error)} (${error.reason}, ${error.requestId})` : serverWords(error);
  return error instanceof Error ? error.message : String(error);
}
