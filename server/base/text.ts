const NUL = '\u0000';
/** With the `u` flag a surrogate matches only when it is not part of a pair. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** PostgreSQL stores neither NUL nor lone surrogates. */
export const isStorable = (text: string): boolean => !text.includes(NUL) && !LONE_SURROGATE.test(text);

/** NUL and lone surrogates as U+FFFD, everything else as it is. */
export function storable(text: string): string {
  if (isStorable(text)) return text;
  return text.replaceAll(NUL, '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}

/** An error's words without anything that looks like a bot's token: addresses of the Bot API carry it. */
export const withoutToken = (text: string): string => text.replace(/\d{6,12}:[A-Za-z0-9_-]{20,}/g, '[token]');
