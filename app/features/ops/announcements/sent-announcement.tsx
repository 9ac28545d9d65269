import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../../server/contract/campaigns.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip } from '../../../ui/card.tsx';
import { type Asking, ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { CAMPAIGN_STATES, Figures, plannedWord } from '../../composer/figures.tsx';
import { reachQuery, writtenOf } from '../../composer/written.ts';
import { instanceWho } from './instance-who.ts';

/** One announcement: reached, opened, not sent; the rest under Details. A waiting one can be withdrawn. */
export function SentAnnouncement({ campaign, onChange }: { campaign: Campaign; onChange: () => void }) {
  const { title, body, by, state, sendAt } = campaign;
  return (
    <Card className={state === 'waiting' ? 'pencil-card' : ''}>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow">{title}</h3>
        <Chip kind={state === 'done' ? 'ink' : state === 'waiting' ? 'pencil' : 'plain'}>
          {CAMPAIGN_STATES[state]()}
        </Chip>
      </div>
      <p className="text-small text-muted">
        {state === 'waiting' ? (
          <>
            {plannedWord(campaign)}
            <Estimate campaign={campaign} />
          </>
        ) : (
          m.people_act_by({ who: by ?? '', time: stampTime(sendAt) })
        )}
      </p>
      <p className="text-small written-text">{body}</p>
      {state === 'waiting' ? (
        <Waiting campaign={campaign} onChange={onChange} />
      ) : (
        state !== 'cancelled' && <Figures campaign={campaign} />
      )}
    </Card>
  );
}

function Estimate({ campaign }: { campaign: Campaign }) {
  const { minPoints: _, ...query } = reachQuery(campaign.audience, campaign);
  const { data: reach } = useQuery({ ...read('GET /api/admin/campaigns/reach', undefined, query), gcTime: 0 });
  return reach ? ` · ${m.compose_estimate({ n: number(reach.push + reach.telegram) })}` : null;
}

function Waiting({ campaign, onChange }: { campaign: Campaign; onChange: () => void }) {
  const { id, title } = campaign;
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const [asking, setAsking] = useState<Asking | null>(null);
  const cancel = useCommand(
    (body: { reason: string }, idempotencyKey) =>
      call('POST /api/admin/campaigns/:campaignId/cancellation', { params: { campaignId: id }, body, idempotencyKey }),
    () => void client.invalidateQueries(readsOf(['GET /api/admin/campaigns'])),
  );
  const ask: Asking = {
    about: `announcement:${id}`,
    title: m.push_cancel_label({ title }),
    action: m.push_cancel(),
    hint: m.desk_reason_kept(),
    presets: [],
    onReason: (reason) =>
      cancel.mutateAsync({ reason }).then(
        () => true,
        () => false,
      ),
  };
  return (
    <>
      <Refused error={cancel.error} />
      <div className="actions">
        {writtenOf({ ...campaign, pinnedUntil: null, campaign }, instanceWho()) && (
          <Button kind="edge" disabledReason={offline} aria-label={m.compose_edit_label({ title })} onClick={onChange}>
            {m.compose_edit()}
          </Button>
        )}
        <Button
          kind="edge"
          busy={cancel.isPending}
          disabledReason={offline}
          aria-label={m.push_cancel_label({ title })}
          onClick={() => setAsking(ask)}
        >
          {m.push_cancel()}
        </Button>
      </div>
      <ReasonDialog asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}
