import { ApiKeys } from './api-keys.tsx';
import { Webhooks } from './webhooks.tsx';

/** How programs hear of what happens here and act on it: webhooks and keys. */
export function Connections({ communityId }: { communityId: string }) {
  return (
    <>
      <Webhooks communityId={communityId} />
      <ApiKeys communityId={communityId} />
    </>
  );
}
