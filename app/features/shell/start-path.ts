/**
 * Where the app starts, also without a connection: at the Today that this device remembers, else at the selector; where it
 * remembers nobody, the gate of '/' knows. Apart from `places.ts`, which a first page does not need.
 */
export function startOf(last: string | null, wasSignedIn: boolean) {
  if (!wasSignedIn) return { to: '/' } as const;
  if (last === null) return { to: '/community-selector' } as const;
  return { to: '/community/$communityId/dashboard', params: { communityId: last } } as const;
}
