import { useState } from 'react';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { CommandButton, Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Secret } from '../parts/secret.tsx';

/** A partner task's signing secret, regenerated and shown once. `isNew`: the secret was never shown yet. */
export function PartnerSecret(props: { communityId: string; taskId: string; isNew?: boolean; onDone?: () => void }) {
  const { communityId, taskId, isNew = false, onDone } = props;
  const [secret, setSecret] = useState<string | null>(null);
  const make = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/tasks/:taskId/partner-secret', {
        params: { communityId, taskId },
        idempotencyKey,
      }),
    (made) => setSecret(made.secret),
  );
  if (secret !== null)
    return (
      <Secret
        title={m.kinds_edit_secret_made()}
        line={m.kinds_edit_secret_made_line()}
        secret={secret}
        onDone={() => {
          setSecret(null);
          onDone?.();
        }}
      />
    );
  return (
    <section className="form-stack">
      <h3>{m.kinds_edit_secret_title()}</h3>
      <p className="text-small text-muted">{isNew ? m.kinds_edit_secret_new_line() : m.kinds_edit_secret_line()}</p>
      <Refused error={make.error} />
      <div className="actions">
        <CommandButton kind={isNew ? 'ink' : 'edge'} icon="shield" command={make} body={null}>
          {isNew ? m.kinds_edit_secret_show() : m.kinds_edit_secret()}
        </CommandButton>
        {onDone && (
          <Button kind="words" onClick={onDone}>
            {m.leader_cancel()}
          </Button>
        )}
      </div>
    </section>
  );
}
