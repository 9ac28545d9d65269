import { useState } from 'react';
import type { Profile } from '../../../server/contract/user.ts';
import { useOutbox } from '../../lib/device.ts';
import { day, stampTime } from '../../lib/format.ts';
import { ZONE } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { changeTimeZone } from '../../shared/commands/member-commands.ts';
import { RefusedCommand } from '../../shared/commands/refused-command.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Chip } from '../../ui/card.tsx';
import { Select } from '../../ui/field.tsx';

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone in which the member's days end. It may be changed only at intervals, because streaks depend on it. */
export function TimeZone({ profile }: { profile: Profile }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const entry = useOutbox().findLast(({ subject }) => subject === ZONE);
  const { timeZone, timeZoneFrom, timeZoneChangeAt } = profile;
  const here = ownZone();
  const value = chosen ?? timeZone;
  // The device's and the current zone first; then all that this browser knows.
  const zones = [...new Set([timeZone, here, value, ...Intl.supportedValuesOf('timeZone')])];
  const locked = timeZoneChangeAt !== null && Date.parse(timeZoneChangeAt) > Date.now();
  return (
    <Card className="stack-medium">
      {timeZoneFrom !== null && (
        <p className="text-small">{m.member_zone_from({ zone: timeZone, date: stampTime(timeZoneFrom) })}</p>
      )}
      {locked ? (
        <p className="text-small">{m.member_zone_locked({ zone: timeZone, date: day(timeZoneChangeAt) })}</p>
      ) : (
        <>
          <Select
            label={m.member_zone()}
            hint={here === timeZone ? m.member_zone_hint() : m.member_zone_here({ zone: here })}
            options={zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
            value={value}
            onValue={setChosen}
          />
          {entry?.state === 'refused' && (
            <div>
              <RefusedCommand entry={entry} />
            </div>
          )}
          {entry && entry.state !== 'refused' ? (
            <Chip kind="pencil">{entry.label}</Chip>
          ) : (
            value !== timeZone && (
              <div>
                <p className="text-small text-muted">{m.member_zone_once()}</p>
                <div className="actions">
                  <Button kind="edge" onClick={() => void changeTimeZone(value)}>
                    {m.member_zone_change()}
                  </Button>
                </div>
              </div>
            )
          )}
        </>
      )}
    </Card>
  );
}
