import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AGREED_TO, versionOf } from '../../../server/contract/policies.ts';
import { local } from '../../lib/browser.ts';
import { read, useUser } from '../../lib/query.ts';

/** That the member agreed to all that this build knows of: asked for once a device, and forgotten when they leave (`forgetHints`). */
const KEY = 'muster-agreed';
const KNOWN = AGREED_TO.map((document) => `${document} ${versionOf(document).version}`).join();

/** Whether a newer version of what the member agreed to waits for their word. */
export function useConsentAsked(): boolean {
  const user = useUser();
  const { pathname } = useLocation();
  const isKnown = local.get(KEY) === KNOWN;
  const { data } = useQuery({ ...read('GET /api/user/data'), enabled: user !== null && !isKnown });
  // Whoever never agreed to any version did so by signing in before that was written down: their next sign-in does it.
  const isAsked = data?.consents.some((consent) => consent.isAsked && consent.agreed !== null) ?? false;
  useEffect(() => {
    if (user && data && !isAsked) local.set(KEY, KNOWN);
  }, [user, data, isAsked]);
  // The page where it is given, and those that say what to.
  return user !== null && isAsked && !['/your-data', '/terms', '/privacy-policy'].includes(pathname);
}
