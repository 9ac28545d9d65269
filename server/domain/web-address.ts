/** An address that a browser may be led to; null for anything else. Nothing but the web, and no names or passwords in it. */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
  if (url.username !== '' || url.password !== '' || !url.hostname.includes('.')) return null;
  return url;
}

/** Whether an address lies at one of the hosts, or below one of them; no hosts: anywhere. */
export function isAt(url: URL, hosts: readonly string[]): boolean {
  const host = url.hostname.replace(/\.$/, '');
  return hosts.length === 0 || hosts.some((one) => host === one || host.endsWith(`.${one}`));
}
