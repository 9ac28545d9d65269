import { LINK_MAX } from '../contract/limits.ts';

/**
 * An address that a browser may be led to; null for anything else. Nothing but the web, no names or passwords in it, and
 * as it is kept no longer than `LINK_MAX`: a letter of other scripts becomes six characters or more.
 */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || !url.hostname.includes('.')) return null;
  return url.href.length <= LINK_MAX ? url : null;
}

/** Whether an address lies at one of the hosts, or below one of them; no hosts: anywhere. */
export function isAt(url: URL, hosts: readonly string[]): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return hosts.length === 0 || hosts.some((one) => host === one || host.endsWith(`.${one}`));
}

/** A fragment that names a place in a page; any other, as `#/` and Telegram's `#@` and `#-`, is the page's own address. */
const NAMES_A_PLACE = /^#[a-z_:]/i;
/** A link as it is kept, so that the same page is known again. */
export function hrefKept(url: URL): string {
  if (NAMES_A_PLACE.test(url.hash)) url.hash = '';
  return url.href;
}
