import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OutputOf } from '../../../server/contract/routes.ts';
import { day } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { read } from '../../lib/query.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, OutButton } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Reading, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

const LINK = read('GET /api/auth/x');
const PROVEN = {
  oauth: m.xtask_proven_oauth,
  post: m.xtask_proven_post,
  admin: m.xtask_proven_admin,
} as const;

/** How the X account was proven, and whether X may be queried for its member. `here`: the return path from X. */
export function XChecks({ here }: { here: string }) {
  const query = useQuery(LINK);
  return (
    // Offline this section has nothing to press, so nothing replaces it.
    <Reading query={query} skeleton={<Skeleton rows={1} />} away={null}>
      {(link) => <Proven link={link} here={here} />}
    </Reading>
  );
}

function Proven({ link, here }: { link: OutputOf<'GET /api/auth/x'>; here: string }) {
  const client = useQueryClient();
  const online = useOnline();
  const stop = useMutation({
    mutationFn: () => call('DELETE /api/auth/x/checks', {}),
    onSuccess: async () => {
      toast({ icon: 'check', title: m.xtask_checks_stopped() });
      await client.invalidateQueries({ queryKey: LINK.queryKey });
    },
  });
  const { configured, provenBy, checksSince } = link;
  if (!provenBy) return null;
  const again = (why: 'renamed' | 'checks') => `/api/auth/x/start?next=${here}&again=${why}`;
  return (
    <>
      <p className="text-small text-muted">{PROVEN[provenBy]()}</p>
      {configured && (
        <>
          <div className="actions">
            <OutButton kind="words" icon="retry" href={again('renamed')}>
              {m.xtask_renamed()}
            </OutButton>
          </div>
          <h3>{m.xtask_checks_title()}</h3>
          <p className="text-small text-muted">
            {checksSince === null ? m.xtask_checks_off() : m.xtask_checks_on({ date: day(checksSince) })}
          </p>
          <div className="actions">
            {checksSince === null ? (
              <OutButton kind="edge" icon="check" href={again('checks')}>
                {m.xtask_checks_allow()}
              </OutButton>
            ) : (
              <Button
                kind="no"
                busy={stop.isPending}
                disabledReason={online ? null : m.member_needs_connection()}
                onClick={() => stop.mutate()}
              >
                {m.xtask_checks_stop()}
              </Button>
            )}
          </div>
          {stop.error !== null && <Quote lead={m.member_not_done()}>{errorText(stop.error)}</Quote>}
        </>
      )}
    </>
  );
}
