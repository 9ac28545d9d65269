import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { NotificationRoom } from '../../../server/contract/push.ts';
import { browserName } from '../../lib/browser-name.ts';
import { onDelivered } from '../../lib/device.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Card, Chip, ListRow, SectionHead } from '../../ui/card.tsx';
import { Reading } from '../../ui/states.tsx';
import { Choices } from './choices.tsx';
import { DeviceCard, lastWords } from './device-card.tsx';

const STATES = {
  waiting: m.push_state_waiting,
  sent: m.push_state_sent,
  shown: m.push_state_shown,
  not_sent: m.push_state_not_sent,
} as const;

/** A member's notification settings: this device, topics, times, and results. */
export function Notifications() {
  const query = useQuery(read('GET /api/user/notifications'));
  const { refetch } = query;
  useEffect(() => onDelivered(({ entry }) => entry.path === '/api/user/notifications' && void refetch()), [refetch]);
  return (
    <section id="notifications">
      <SectionHead title={m.shell_notifications()} />
      <Reading query={query}>{(room) => <Room room={room} />}</Reading>
    </section>
  );
}

function nameOf(userAgent: string | null): string {
  const name = browserName(userAgent);
  if (!name) return m.push_device_unknown();
  return name.system === null ? name.browser : `${name.browser}, ${name.system}`;
}

function Room({ room }: { room: NotificationRoom }) {
  const others = room.devices.filter(({ current }) => !current);
  return (
    <div className="stack-medium">
      <DeviceCard room={room} />
      <h3>{m.push_choices()}</h3>
      <Choices room={room} />
      {others.length > 0 && (
        <>
          <h3>{m.push_devices()}</h3>
          <Card className="card--rows">
            <ul className="ruled-list">
              {others.map((device) => (
                <li key={device.id}>
                  <ListRow title={nameOf(device.userAgent)} line={lastWords(device)} />
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
      {room.latest.length > 0 && (
        <>
          <h3>{m.push_state_latest()}</h3>
          <Card className="card--rows">
            <ul className="ruled-list">
              {room.latest.map(({ id, title, at, state }) => (
                <li key={id}>
                  <ListRow
                    title={title}
                    line={whenWord(at)}
                    end={<Chip kind={state === 'shown' ? 'ink' : 'plain'}>{STATES[state]()}</Chip>}
                  />
                </li>
              ))}
            </ul>
          </Card>
        </>
      )}
    </div>
  );
}
