/** Push services of browsers; a leading dot matches any subdomain. */
const PUSH_SERVICES = [
  'fcm.googleapis.com',
  // Chromium builds without Google's own keys.
  'jmt17.google.com',
  'android.googleapis.com',
  'updates.push.services.mozilla.com',
  '.push.services.mozilla.com',
  'web.push.apple.com',
  '.push.apple.com',
  '.notify.windows.com',
  '.wns.windows.com',
];

const PORT = /:\d+$/;

/**
 * Whether a push endpoint may be called, by its parsed host: https, no user, no fragment, port 443 and a known service,
 * or one that the operator configured (`PUSH_HOSTS`). `own`: configured with a port, so it may be in the operator's own
 * network.
 */
export function judgeEndpoint(endpoint: string, named: readonly string[]): { url: URL; own: boolean } | null {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || url.hash !== '') return null;
  if (/[^\x21-\x7e]/.test(endpoint)) return null;
  if (url.port !== '' || named.includes(`${url.hostname}:443`)) {
    const own = named.includes(`${url.hostname}:${url.port || '443'}`);
    return own ? { url, own } : null;
  }
  const allowed = [...PUSH_SERVICES, ...named.filter((host) => !PORT.test(host))];
  const fits = (host: string) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host);
  return allowed.some(fits) ? { url, own: false } : null;
}
