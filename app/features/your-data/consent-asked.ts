import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AGREED_TO, versionOf } from '../../../server/contract/policies.ts';
import { local } from '../../lib/browser.ts';
import { read, useUser } from '../../lib/query.ts';

/** That the member agreed to all that this build knows of: asked for once a device, and forgotten when they leave (`forgetHints`). */
const KEY = 'muster-agreed';
const CURRENT_VERSIONS = AGREED_TO.map((document) => `${document} ${versionOf(document).version}`).join();

/** Whether a newer version of what the member agreed to waits for their word. */
export function useConsentDue(): boolean {
  const user = useUser();
  const { pathname } = useLocation();
  const isCurrent = local.get(KEY) === CURRENT_VERSIONS;
  const { data } = useQuery({ ...read('GET /api/user/data'), enabled: user !== null && !isCurrent });
  // Whoever never agreed to any version did so by signing in before that was written down: their next sign-in does it.
  const isDue = data?.consents.some((consent) => consent.isAsked && consent.agreed !== null) ?? false;
  useEffect(() => {
    if (user && data && !isDue) local.set(KEY, CURRENT_VERSIONS);
  }, [user, data, isDue]);
  // The page where it is given, and those that say what to.
  return user !== null && isDue && !['/your-data', '/terms', '/privacy-policy'].includes(pathname);
}
