import '../../../ui/desk.css';
import { useQueryClient } from '@tanstack/react-query';
import type { CommunityDetail } from '../../../../server/contract/communities.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { Card, SectionHead } from '../../../ui/card.tsx';

/** Whether the community has leagues. */
export function Leagues({ detail }: { detail: CommunityDetail }) {
  const client = useQueryClient();
  const reading = read('GET /api/communities/:communityId', { communityId: detail.id });
  const isOn = detail.leagues === true;
  const change = useCommand(
    (leagues: boolean, idempotencyKey) =>
      call('PATCH /api/communities/:communityId', {
        params: { communityId: detail.id },
        body: { leagues },
        idempotencyKey,
      }),
    (_, leagues) => client.setQueryData(reading.queryKey, (found) => found && { ...found, leagues }),
  );
  return (
    <section className="narrow-column">
      <SectionHead title={m.league_title()} />
      <Card className="form-stack">
        <p className="text-small text-muted">{m.league_switch_line()}</p>
        <p className="text-small" role="status">
          <b>{isOn ? m.league_switched_on() : m.league_switched_off()}</b>
        </p>
        <Refused error={change.error} />
        <div className="actions">
          <CommandButton kind="edge" command={change} body={!isOn}>
            {isOn ? m.league_switch_off() : m.league_switch_on()}
          </CommandButton>
        </div>
      </Card>
    </section>
  );
}
