import './imports.css';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { CommunitySummary } from '../../../../server/contract/community.ts';
import type { Import } from '../../../../server/contract/imports.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Confirm } from '../../../shared/commands/command-parts.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Hatch, Mark } from '../../../ui/icon.tsx';

/** What an import brought, how much is in the ledger, and how to undo it. */
export function ImportDone({ done, community }: { done: Import; community: CommunitySummary }) {
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const communityId = community.id;
  const client = useQueryClient();
  const listed = read('GET /api/communities/:communityId/imports', { communityId }).queryKey;
  const undo = useCommand(
    (_: null, idempotencyKey) =>
      call('POST /api/communities/:communityId/imports/:importId/undo', {
        params: { communityId, importId: done.id },
        idempotencyKey,
      }),
    (undone) => {
      client.setQueryData(listed, (cached) => cached?.map((one) => (one.id === undone.id ? undone : one)));
      close();
    },
  );
  const isPeople = done.kind === 'people';
  const words = { count: done.count, n: number(done.count) };
  const isOver = Date.parse(done.undoUntil) < Date.now();
  return (
    <Card className="import-done">
      <Mark state={done.undoneAt === null ? 'ink' : 'reversed'} />
      <div className="stack">
        <h3>{isPeople ? m.import_done_people(words) : m.import_done_tasks(words)}</h3>
        <p className="text-small text-muted break-anywhere">
          {m.import_done_by({ when: whenWord(done.at), who: done.by, file: done.fileName })}
        </p>
        {done.undoneAt !== null ? <Undone done={done} /> : isPeople ? <People done={done} /> : <Drafts />}
        {done.undoneAt === null && (
          <div className="actions">
            {isPeople && done.waiting.people > 0 && (
              <ButtonLink
                kind="edge"
                icon="invite"
                to="/community/$communityId"
                params={{ communityId: community.slug }}
                hash="invite"
              >
                {m.import_invite()}
              </ButtonLink>
            )}
            {!isPeople && (
              <ButtonLink
                kind="edge"
                icon="text"
                to="/community/$communityId/admin/tasks"
                params={{ communityId: community.slug }}
              >
                {m.import_to_tasks()}
              </ButtonLink>
            )}
            {!isOver && (
              <Button kind="no" icon="undo" onClick={() => setAsking(true)}>
                {m.import_undo()}
              </Button>
            )}
          </div>
        )}
        {done.undoneAt === null && !isOver && (
          <p className="text-tiny text-muted">{m.import_undo_until({ when: whenWord(done.undoUntil) })}</p>
        )}
      </div>
      <Confirm
        title={m.import_undo_title()}
        line={isPeople ? m.import_undo_line_people() : m.import_undo_line_tasks()}
        action={m.import_undo()}
        cancel={m.import_keep()}
        open={asking}
        onClose={close}
        command={undo}
        body={null}
      />
    </Card>
  );
}

const Drafts = () => <p className="text-small">{m.import_done_drafts()}</p>;

function Undone({ done }: { done: Import }) {
  return (
    <p className="text-small" role="status">
      {m.import_undone({ when: whenWord(done.undoneAt ?? done.at) })}{' '}
      {done.undoing > 0 ? m.import_undoing({ count: done.undoing, n: number(done.undoing) }) : m.import_undone_line()}
    </p>
  );
}

function People({ done }: { done: Import }) {
  const { settled, settling, waiting } = done;
  const paramsOf = (part: Import['settled']) => ({
    count: part.people,
    n: number(part.people),
    points: number(part.points),
  });
  const share = (points: number) => (done.points === 0 ? 0 : points / done.points);
  return (
    <>
      <p className="text-small" role="status">
        {settled.people > 0 && `${m.import_done_signed_in(paramsOf(settled))} `}
        {settling.people > 0 && `${m.import_done_settling(paramsOf(settling))} `}
        {waiting.people > 0 && m.import_done_waiting(paramsOf(waiting))}
      </p>
      {done.points > 0 && (
        <Hatch
          done={share(settled.points)}
          pencil={share(settling.points + waiting.points)}
          label={m.import_done_label({
            settled: number(settled.points),
            waiting: number(settling.points + waiting.points),
          })}
        />
      )}
    </>
  );
}
