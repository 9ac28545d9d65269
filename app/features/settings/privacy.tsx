import type { Profile } from '../../../server/contract/user.ts';
import { useOutbox } from '../../lib/device.ts';
import { VISIBILITY } from '../../lib/subjects.ts';
import { m } from '../../paraglide/messages.js';
import { changeVisibility } from '../../shared/commands/member-commands.ts';
import { RefusedCommand } from '../../shared/commands/refused-command.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { Card, Chip } from '../../ui/card.tsx';
import { Segment } from '../../ui/segment.tsx';

/** What others see of the member, and what is fixed. Stored on the device first, as every command. */
export function Privacy({ profile }: { profile: Profile }) {
  const entry = useOutbox().findLast(({ subject }) => subject === VISIBILITY);
  const isWaiting = entry !== undefined && entry.state !== 'refused';
  const hidden = isWaiting ? (entry.body as { hidden: boolean }).hidden : profile.hidden;
  return (
    <div className="stack-medium">
      <Card className="stack-medium">
        <Segment
          label={m.settings_privacy()}
          value={hidden ? 'hidden' : 'seen'}
          options={[
            { value: 'seen', label: m.settings_privacy_seen() },
            { value: 'hidden', label: m.settings_privacy_hidden() },
          ]}
          onChange={(value) => {
            if ((value === 'hidden') !== hidden) void changeVisibility(value === 'hidden');
          }}
        />
        {isWaiting && (
          <div>
            <Chip kind="pencil">{entry.label}</Chip>
          </div>
        )}
        {entry?.state === 'refused' && <RefusedCommand entry={entry} />}
        <p>{hidden ? m.settings_privacy_hidden_line() : m.settings_privacy_seen_line()}</p>
        <p className="text-small text-muted">{m.settings_privacy_leaders()}</p>
      </Card>
      <div className="actions">
        <ButtonLink kind="edge" icon="shield" to="/your-data">
          {m.settings_data()}
        </ButtonLink>
        <ButtonLink kind="words" to="/privacy-policy">
          {m.shell_privacy()}
        </ButtonLink>
      </div>
    </div>
  );
}
