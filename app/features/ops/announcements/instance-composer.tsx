import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Campaign, CampaignAudience, NewCampaign } from '../../../../server/contract/campaigns.ts';
import { CAMPAIGN_BODY_MAX } from '../../../../server/contract/limits.ts';
import { call } from '../../../lib/http.ts';
import { product } from '../../../lib/product.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { toast } from '../../../ui/toast.tsx';
import { Composer } from '../../composer/composer.tsx';
import { NOW, reachQuery, type Sent, type When, writtenOf } from '../../composer/written.ts';
import { instanceWho } from './instance-who.ts';

const isDone = (done: Promise<unknown>): Promise<boolean> =>
  done.then(
    () => true,
    () => false,
  );

function useInstanceReach(audience: CampaignAudience, when: When) {
  const { minPoints: _, ...query } = reachQuery(audience, when);
  return useQuery({ ...read('GET /api/admin/campaigns/reach', undefined, query), staleTime: 0, gcTime: 0 }).data;
}

/** Writes an announcement to everyone on the instance: always with a confirmation, and only online. */
export function InstanceComposer({ changing, onDone }: { changing: Campaign | null; onDone: () => void }) {
  const client = useQueryClient();
  const held = useNeedsConnection();
  const beginning = changing && writtenOf({ ...changing, pinnedUntil: null, campaign: changing }, instanceWho());
  const send = useCommand(
    (body: NewCampaign, idempotencyKey) =>
      changing
        ? call('PUT /api/admin/campaigns/:campaignId', { params: { campaignId: changing.id }, body, idempotencyKey })
        : call('POST /api/admin/campaigns', { body, idempotencyKey }),
    (_, { sendAt, localTime }) => {
      toast({
        mark: 'ink',
        title: sendAt === null && !localTime ? m.desk_announce_is_sent() : m.desk_announce_is_planned(),
      });
      void client.invalidateQueries(readsOf(['GET /api/admin/campaigns']));
      onDone();
    },
  );
  const test = useCommand(
    (body: { title: string; body: string }, idempotencyKey) =>
      call('POST /api/admin/campaigns/test', { body, idempotencyKey }),
    () => toast({ mark: 'sending', title: m.push_test_sent() }),
  );
  return (
    <Composer
      target={{
        draftName: changing ? null : 'instance-announcement',
        ...(beginning && { beginning, onKeepAsItWas: onDone }),
        name: product.name,
        bodyMax: CAMPAIGN_BODY_MAX,
        onToday: false,
        who: instanceWho(),
        useReach: useInstanceReach,
        alwaysAsks: true,
        audienceLead: m.compose_ask_everywhere(),
        held,
        error: send.error ?? test.error,
        onTest: (words) => isDone(test.mutateAsync(words)),
        onSend: ({ title, body, notify }: Sent) =>
          isDone(send.mutateAsync({ title, body, ...(notify ?? { ...NOW, audience: {} }) })),
      }}
    />
  );
}
