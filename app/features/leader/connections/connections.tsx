import { Chats } from '../parts/chats.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Webhooks } from './webhooks.tsx';

/** The community's connections: Telegram chats, webhooks and API keys. */
export function Connections({ communityId }: { communityId: string }) {
  return (
    <>
      <Chats communityId={communityId} />
      <Webhooks communityId={communityId} />
      <ApiKeys communityId={communityId} />
    </>
  );
}
