import type { AdminOverview } from '../../../../server/contract/overview.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { number, stampTime } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { Card, ListRow, SectionHead } from '../../../ui/card.tsx';
import { Icon } from '../../../ui/icon.tsx';

type Alerting = NonNullable<AdminOverview['alerts']>;

/** Who is told when a check fails; where nobody is, how to change that. */
export function Alerts({ alerts }: { alerts: AdminOverview['alerts'] }) {
  return (
    <section>
      <SectionHead title={m.desk_alerts()} />
      <Card className="card--rows">
        {alerts === null ? <ListRow title={m.desk_alerts_unknown()} /> : <Channels alerts={alerts} />}
      </Card>
    </section>
  );
}

function Channels({ alerts: { channels, rules, heartbeat } }: { alerts: Alerting }) {
  return (
    <ul className="ruled-list">
      {channels.length + rules === 0 && (
        <li>
          <ListRow lead={<Icon name="warning" />} title={m.desk_alerts_none()} line={m.desk_alerts_none_line()} />
        </li>
      )}
      {channels.map((channel) => (
        <li key={channel.kind}>
          <ListRow
            lead={<Icon name={channel.failingSince === null ? 'announce' : 'warning'} />}
            title={channel.kind === 'telegram' ? m.desk_alerts_telegram() : m.desk_alerts_webhook()}
            line={channelLine(channel)}
          />
        </li>
      ))}
      {rules > 0 && (
        <li>
          <ListRow
            lead={<Icon name="announce" />}
            title={m.desk_alerts_rules({ count: rules, n: number(rules) })}
            link={{ to: '/admin/client-logs/rules' }}
          />
        </li>
      )}
      <li>
        <ListRow
          lead={<Icon name="update" />}
          title={m.desk_heartbeat()}
          line={heartbeat ? m.desk_heartbeat_on() : m.desk_heartbeat_off()}
        />
      </li>
    </ul>
  );
}

const channelLine = ({ failingSince, error }: Alerting['channels'][number]): string =>
  failingSince === null
    ? m.desk_alerts_line()
    : m.desk_alerts_failing({ time: stampTime(failingSince), error: inert(error ?? '') });
