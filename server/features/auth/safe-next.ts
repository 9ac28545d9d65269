/** Any origin serves to see whether a path stays on its own. */
const HERE = 'https://here.invalid';
const NEXT_MAX = 2_000;
const DECODINGS = 3;

/**
 * Where to go after signing in: a path of our own pages, or `/` for anything else (threat model, row C5).
 * A path must still be ours after each of three rounds of percent-decoding, because some proxies decode again.
 */
export function safeNext(next: string | undefined): string {
  if (next === undefined || next.length > NEXT_MAX) return '/';
  let decoded = next;
  for (let round = 0; round <= DECODINGS; round++) {
    if (!staysHere(decoded)) return '/';
    try {
      decoded = decodeURIComponent(decoded);
    } catch {
      return '/';
    }
  }
  const url = new URL(next, HERE);
  const path = `${url.pathname}${url.search}${url.hash}`;
  // The API has nothing to show, and its sign-in route would go round in circles.
  return staysHere(path) && !/^\/api(\/|$)/i.test(url.pathname) ? path : '/';
}

function staysHere(path: string): boolean {
  // Browsers drop tabs and line feeds and read a backslash as a slash before they look for the host.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(path)) return false;
  if (!URL.canParse(path, HERE)) return false;
  const url = new URL(path, HERE);
  return url.origin === HERE && url.username === '' && !url.pathname.startsWith('//');
}
