/**
 * Where the app starts, also without a connection: at the Today that this device remembers, else at the selector; where it
 * remembers nobody, the gate of '/' knows. Apart from `places.ts`, which a first page does not need.
 */
export function startPath(last: string | null, wasSignedIn: boolean): string {
  if (!wasSignedIn) return '/';
  return last === null ? '/community-selector' : `/community/${last}/dashboard`;
}
