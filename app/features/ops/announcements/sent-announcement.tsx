import '../people/people.css';
import './announcements.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Campaign } from '../../../../server/contract/campaigns.ts';
import { call } from '../../../lib/http.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card, Chip } from '../../../ui/card.tsx';
import { number, stampTime } from '../../../ui/format.ts';
import { Refused } from '../../leader/command-parts.tsx';
import { type Asking, ReasonDialog } from '../../leader/reason-dialog.tsx';
import { useCommand, useNeedsConnection } from '../../leader/use-command.ts';

const STATES = {
  waiting: m.desk_announce_scheduled,
  spreading: m.push_campaign_sending,
  sending: m.push_campaign_sending,
  done: m.push_campaign_done,
  cancelled: m.push_campaign_cancelled,
} as const;

/** One announcement: reached, opened, not sent; the rest under Details. What waits can be taken back, with a reason. */
export function SentAnnouncement({ campaign }: { campaign: Campaign }) {
  const { title, body, by, state, sendAt } = campaign;
  return (
    <Card className={state === 'waiting' ? 'pencil-card' : ''}>
      <div className="flex-row flex-wrap">
        <h3 className="flex-grow">{title}</h3>
        <Chip kind={state === 'done' ? 'ink' : state === 'waiting' ? 'pencil' : 'plain'}>{STATES[state]()}</Chip>
      </div>
      <p className="text-small text-muted">
        {state === 'waiting'
          ? m.desk_announce_planned_by({ who: by ?? '', time: stampTime(sendAt) })
          : m.people_act_by({ who: by ?? '', time: stampTime(sendAt) })}
      </p>
      <p className="text-small written-text">{body}</p>
      {state === 'waiting' ? (
        <TakeBack campaign={campaign} />
      ) : (
        state !== 'cancelled' && <Figures campaign={campaign} />
      )}
    </Card>
  );
}

function Figures({ campaign }: { campaign: Campaign }) {
  const { sent, told, gone, failed, shown, clicked, dismissed, members, optedOut, capped, services } = campaign;
  const main = [
    [m.desk_fig_reached(), sent + told],
    [m.desk_fig_opened(), clicked],
    [m.desk_fig_not_sent(), gone + failed + optedOut + capped],
  ] as const;
  const rest = [
    [m.push_fig_members(), members],
    [m.push_fig_sent(), sent],
    [m.push_fig_told(), told],
    [m.push_fig_shown(), shown],
    [m.push_fig_dismissed(), dismissed],
    [m.push_fig_gone(), gone],
    [m.push_fig_failed(), failed],
    [m.push_fig_opted_out(), optedOut],
    [m.push_fig_capped(), capped],
  ] as const;
  return (
    <>
      <dl className="person-figures">
        {main.map(([label, value]) => (
          <div key={label}>
            <dd className="numeric">{number(value)}</dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      <details className="disclosure">
        <summary>{m.desk_details()}</summary>
        <dl className="announce-reach text-small">
          {rest.map(([label, value]) => (
            <div key={label}>
              <dt className="text-muted">{label}</dt>
              <dd className="numeric">{number(value)}</dd>
            </div>
          ))}
        </dl>
        {services.map(({ service, sent, gone, failed }) => (
          <p key={service} className="text-tiny text-muted">
            {m.push_service_line({ service, sent: number(sent), gone: number(gone), failed: number(failed) })}
          </p>
        ))}
      </details>
    </>
  );
}

function TakeBack({ campaign: { id, title } }: { campaign: Campaign }) {
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
    act: m.push_cancel(),
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
