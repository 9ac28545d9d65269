/** Why a link cannot be used, as far as the device can tell; the server decides. */
export function linkProblem(text: string, hosts: readonly string[]): 'link' | 'host' | null {
  if (!URL.canParse(text)) return 'link';
  const { protocol, hostname, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || username !== '' || password !== '' || !hostname.includes('.')) return 'link';
  const isAt = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return hosts.length === 0 || hosts.some(isAt) ? null : 'host';
}
