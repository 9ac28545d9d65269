import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AGREED_TO, versionOf } from '../../../server/contract/policies.ts';
import { local } from '../../lib/browser.ts';
import { read, useUser } from '../../lib/query.ts';

/**
 * Records that the member agreed to every version that this build knows, so each device asks once; deleted when they
 * leave (`forgetHints`).
 */
const KEY = 'muster-agreed';
const CURRENT = AGREED_TO.map((document) => `${document} ${versionOf(document).version}`).join();

/** Whether a newer version waits for the member's consent. */
export function useConsentNeeded(): boolean {
  const user = useUser();
  const { pathname } = useLocation();
  const isAgreed = local.get(KEY) === CURRENT;
  const { data } = useQuery({ ...read('GET /api/user/data'), enabled: user !== null && !isAgreed });
  // A member without any consent signed in before consents were recorded: their next sign-in records it.
  const isAsked = data?.consents.some((consent) => consent.isAsked && consent.agreed !== null) ?? false;
  useEffect(() => {
    if (user && data && !isAsked) local.set(KEY, CURRENT);
  }, [user, data, isAsked]);
  // The page that asks for it, and the texts it is about.
  return user !== null && isAsked && !['/your-data', '/terms', '/privacy-policy'].includes(pathname);
}
