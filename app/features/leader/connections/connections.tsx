import { Chats } from '../parts/chats.tsx';
import { ApiKeys } from './api-keys.tsx';
import { Webhooks } from './webhooks.tsx';

/** What this community is connected to: its Telegram chats, and programs that hear of it and act on it. */
export function Connections({ communityId }: { communityId: string }) {
  return (
    <>
      <Chats communityId={communityId} />
      <Webhooks communityId={communityId} />
      <ApiKeys communityId={communityId} />
    </>
  );
}
