import { LINK_MAX } from '../contract/limits.ts';

/**
 * An address that a browser may open; null for anything else. Only the web, without user or password, and at most
 * `LINK_MAX` when stored: a letter of another script becomes six characters or more.
 */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || !url.hostname.includes('.')) return null;
  return url.href.length <= LINK_MAX ? url : null;
}

/** Whether an address is at one of the hosts or a subdomain; no hosts: anywhere. */
export function isAt(url: URL, hosts: readonly string[]): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return hosts.length === 0 || hosts.some((one) => host === one || host.endsWith(`.${one}`));
}

/**
 * A fragment that names a place in a page. Any other, such as `#/` and Telegram's `#@` and `#-`, is part of the page's
 * address.
 */
const NAMES_ANCHOR = /^#[a-z_:]/i;
/** A link in its stored form, so the same page is recognized. */
export function storedHref(url: URL): string {
  if (NAMES_ANCHOR.test(url.hash)) url.hash = '';
  return url.href;
}
