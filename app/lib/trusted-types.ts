type Policy = { createScriptURL(url: string): unknown };
type Factory = { createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy };

/** Scripts that this application may load: its service worker and its own build (in development, Vite's modules). */
function ownScript(url: string): string {
  const { origin, pathname } = new URL(url, location.origin);
  const ours = pathname === '/sw.js' || pathname.startsWith('/assets/');
  const inDevelopment = import.meta.env.DEV && !pathname.startsWith('/api/');
  if (origin === location.origin && (ours || inDevelopment)) return url;
  throw new TypeError(`Not a script of this application: ${url}`);
}

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy('muster', { createScriptURL: ownScript });

/** A script URL allowed by the page's Trusted Types policy. @throws TypeError for any other script. */
export function trustedScriptUrl(url: string): string {
  // The DOM types lack TrustedScriptURL; the sinks take the object as it is.
  return policy ? (policy.createScriptURL(url) as string) : ownScript(url);
}
