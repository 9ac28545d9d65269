/** The text of a server's refusal: the catalogue's words for its reason, else the server's own. */
type ServerError = { reason: string; message: string; details?: unknown };

let wordsOf: ((reason: string, details: unknown) => string | null) | null = null;

/** The catalogue loads after the first paint; until then the server's own words are shown. */
export async function loadServerWords(): Promise<void> {
  wordsOf = (await import('./error-words.ts')).errorWords;
}
export const serverWords = (error: ServerError): string => wordsOf?.(error.reason, error.details) ?? error.message;
