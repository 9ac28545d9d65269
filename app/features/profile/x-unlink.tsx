import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { day } from '../../lib/format.ts';
import { call, HttpError } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { userQuery } from '../../lib/query.ts';
import { readsOf } from '../../lib/query-keys.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, OutButton, signInUrl } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Dialog } from '../../ui/sheet.tsx';
import { toast } from '../../ui/toast.tsx';

/** Unlinks the X account, after saying what ends with it. `lockedUntil`: when another may be linked; null for now. */
export function XUnlink({ user, lockedUntil, here }: { user: User; lockedUntil: string | null; here: string }) {
  const [open, setOpen] = useState(false);
  const client = useQueryClient();
  const online = useOnline();
  const unlink = useMutation({
    mutationFn: () => call('DELETE /api/auth/x', {}),
    onSuccess: async ({ user: after }) => {
      setOpen(false);
      toast({ icon: 'check', title: m.member_x_unlinked() });
      client.setQueryData(userQuery.queryKey, after);
      await client.invalidateQueries(readsOf(['GET /api/user/profile', 'GET /api/auth/x']));
    },
  });
  const isTooOld = unlink.error instanceof HttpError && unlink.error.reason === 'TELEGRAM_SIGN_IN_TOO_OLD';
  return (
    <>
      <div className="actions">
        <Button kind="no" onClick={() => setOpen(true)}>
          {m.member_x_unlink()}
        </Button>
      </div>
      <Dialog
        title={m.member_x_unlink_title({ name: user.twitterUsername ?? '' })}
        open={open}
        onClose={() => setOpen(false)}
      >
        <div className="stack">
          <p>{m.member_x_unlink_line()}</p>
          {lockedUntil !== null && <p>{m.member_x_unlink_lock({ date: day(lockedUntil) })}</p>}
          {unlink.error !== null && (
            <Quote lead={m.member_not_done()}>{isTooOld ? m.member_x_unlink_sign_in() : errorText(unlink.error)}</Quote>
          )}
          <div className="actions">
            {isTooOld ? (
              <OutButton icon="retry" href={signInUrl(here)}>
                {m.member_sign_in_again()}
              </OutButton>
            ) : (
              <Button
                kind="no"
                busy={unlink.isPending}
                disabledReason={online ? null : m.member_needs_connection()}
                onClick={() => unlink.mutate()}
              >
                {m.member_x_unlink()}
              </Button>
            )}
            <Button kind="words" onClick={() => setOpen(false)}>
              {m.member_x_unlink_stay()}
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  );
}
