/**
 * Versions of the policies that people agree to, oldest first. `isMaterial`: it changes what is stored, who sees it or
 * what is owed, so everyone is asked again. The texts are in `app/features/legal/versions`.
 */
export type PolicyName = 'guidelines' | 'privacy' | 'terms' | 'cookies';
export type PolicyVersion = { version: string; since: string; isMaterial: boolean };

export const POLICIES = {
  guidelines: [
    { version: '1.0', since: '2026-11-21', isMaterial: true },
    { version: '1.1', since: '2026-11-28', isMaterial: false },
  ],
  privacy: [
    { version: '1.1', since: '2026-11-25', isMaterial: true },
    { version: '2.0', since: '2026-11-26', isMaterial: true },
    { version: '2.1', since: '2026-11-26', isMaterial: true },
    { version: '2.2', since: '2026-11-28', isMaterial: false },
  ],
  terms: [
    { version: '1.0', since: '2026-11-21', isMaterial: true },
    { version: '1.1', since: '2026-11-28', isMaterial: false },
  ],
  cookies: [
    { version: '1.0', since: '2026-11-21', isMaterial: true },
    { version: '2.0', since: '2026-11-26', isMaterial: false },
    { version: '2.1', since: '2026-11-26', isMaterial: false },
    { version: '2.2', since: '2026-11-28', isMaterial: false },
  ],
} as const satisfies Record<PolicyName, readonly PolicyVersion[]>;

/** The documents that a person agrees to; the other pages explain. */
export const AGREED_TO = ['terms', 'privacy'] as const;
export type AgreedTo = (typeof AGREED_TO)[number];

/** The version in force. */
export function versionOf(name: PolicyName): PolicyVersion {
  const versions: readonly PolicyVersion[] = POLICIES[name];
  const last = versions.at(-1);
  if (!last) throw new Error(`${name} has no version`);
  return last;
}

/** Whether agreement to `agreed` covers the version in force: nothing material came after it. */
export function isCurrent(name: PolicyName, agreed: string, of: readonly PolicyVersion[] = POLICIES[name]): boolean {
  const at = of.findIndex(({ version }) => version === agreed);
  return at >= 0 && of.slice(at + 1).every(({ isMaterial }) => !isMaterial);
}
