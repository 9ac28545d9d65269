/**
 * Where the app starts, also offline: the last Today on this device, else the selector; without a last member, the gate
 * of '/' decides. Separate from `places.ts`, which a first page does not need.
 */
export function startOf(last: string | null, wasSignedIn: boolean) {
  if (!wasSignedIn) return { to: '/' } as const;
  if (last === null) return { to: '/community-selector' } as const;
  return { to: '/community/$communityId/dashboard', params: { communityId: last } } as const;
}
