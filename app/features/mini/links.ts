/** Target of a link that the Mini App cannot open itself. */
type Way = { kind: 'telegram'; path: string } | { kind: 'outside'; url: string } | { kind: 'sign-in' };

const TELEGRAM = /^(t|telegram)\.me$/;

/** Null for links that the app shows or saves itself. Pure. */
export function linkOf(href: string, origin: string): Way | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (url.origin === origin) {
    if (url.pathname === '/api/auth/telegram/start') return { kind: 'sign-in' };
    // X refuses frames and returns to the browser that started: the person signs in there.
    if (url.pathname === '/api/auth/x/start') return { kind: 'outside', url: `${origin}/profile-accounts` };
    return url.pathname === '/demo' ? { kind: 'outside', url: href } : null;
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (TELEGRAM.test(url.hostname)) return { kind: 'telegram', path: `${url.pathname}${url.search}` };
  return { kind: 'outside', url: href };
}
