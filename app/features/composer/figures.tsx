import './composer.css';
import type { Campaign } from '../../../server/contract/campaigns.ts';
import { number, stampTime } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Figured } from './preview.tsx';

export const CAMPAIGN_STATES = {
  waiting: m.desk_announce_scheduled,
  spreading: m.push_campaign_sending,
  sending: m.push_campaign_sending,
  done: m.push_campaign_done,
  cancelled: m.push_campaign_cancelled,
} as const;

/** Who scheduled it, when, and in which time zone. */
export function plannedWord({ by, sendAt, localTime }: Campaign): string {
  const who = by ?? '';
  return localTime
    ? m.compose_own_planned({ who, time: stampTime(localTime) })
    : m.desk_announce_planned_by({ who, time: stampTime(sendAt) });
}

/** Results: reached, opened, not sent; the rest under Details. */
export function Figures({ campaign }: { campaign: Campaign }) {
  const { sent, told, gone, failed, shown, clicked, dismissed, members, optedOut, capped, services } = campaign;
  const main = [
    [m.desk_fig_reached(), sent + told],
    [m.desk_fig_opened(), clicked],
    [m.desk_fig_not_sent(), gone + failed + optedOut + capped],
  ] as const;
  return (
    <>
      <dl className="said-figures">
        {main.map(([label, value]) => (
          <div key={label}>
            <dd className="numeric">{number(value)}</dd>
            <dt>{label}</dt>
          </div>
        ))}
      </dl>
      <details className="disclosure">
        <summary>
          {m.desk_details()}
          <span className="visually-hidden"> {campaign.title}</span>
        </summary>
        <Figured
          rows={[
            [m.push_fig_members(), members],
            [m.push_fig_sent(), sent],
            [m.push_fig_told(), told],
            [m.push_fig_shown(), shown],
            [m.push_fig_dismissed(), dismissed],
            [m.push_fig_gone(), gone],
            [m.push_fig_failed(), failed],
            [m.push_fig_opted_out(), optedOut],
            [m.push_fig_capped(), capped],
          ]}
        />
        {services.map(({ service, sent, gone, failed }) => (
          <p key={service} className="text-tiny text-muted">
            {m.push_service_line({ service, sent: number(sent), gone: number(gone), failed: number(failed) })}
          </p>
        ))}
      </details>
    </>
  );
}
