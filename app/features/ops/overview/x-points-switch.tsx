import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { XPointsSwitch as Switch } from '../../../../server/contract/x.ts';
import { day } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Reading } from '../../../ui/states.tsx';
import { type DeskAction, DeskActionForm } from '../desk-actions.tsx';

/** X's policy, and the switch beside the environment's: both must be on. For administrators. */
export function XPointsSwitch() {
  const query = useQuery(read('GET /api/admin/switches/x-points'));
  return (
    <>
      <blockquote className="quote">
        <p>{m.xtask_desk_points_quote()}</p>
        <footer className="text-small">{m.xtask_desk_points_source()}</footer>
      </blockquote>
      <Reading query={query}>{(held) => <Turn held={held} />}</Reading>
    </>
  );
}

function stateWords({ isOn, byEnvironment, by, reason, changedAt }: Switch): string {
  if (!isOn || changedAt === null) return m.xtask_desk_points_state_off();
  if (!byEnvironment) return m.xtask_desk_points_waiting({ who: by ?? '' });
  return m.xtask_desk_points_state_on({ day: day(changedAt), who: by ?? '', reason: reason ?? '' });
}

function Turn({ held }: { held: Switch }) {
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const action: DeskAction = {
    name: held.isOn ? 'off' : 'on',
    icon: 'warning',
    title: held.isOn ? m.xtask_desk_points_off() : m.xtask_desk_points(),
    line: '',
    hint: m.desk_reason_kept(),
    happens: held.isOn
      ? [m.xtask_desk_points_off_1(), m.xtask_desk_points_off_2()]
      : [m.xtask_desk_points_on_1(), m.xtask_desk_points_on_2()],
    done: () => (held.isOn ? m.xtask_desk_points_done_off() : m.xtask_desk_points_done_on()),
    isGrave: !held.isOn,
    run: ({ reason }, idempotencyKey) =>
      call('PUT /api/admin/switches/x-points', { body: { isOn: !held.isOn, reason }, idempotencyKey }),
  };
  return (
    <>
      <p className="text-small">{stateWords(held)}</p>
      {open ? (
        <DeskActionForm
          about="switch:x-points"
          action={action}
          onClose={() => setOpen(false)}
          onDone={() => void client.invalidateQueries(readsOf(['GET /api/admin/switches/x-points']))}
        />
      ) : (
        <div className="actions">
          <Button kind={held.isOn ? 'edge' : 'no'} onClick={() => setOpen(true)}>
            {action.title}
          </Button>
        </div>
      )}
    </>
  );
}
