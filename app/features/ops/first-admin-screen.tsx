import './not-an-operator.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { session } from '../../lib/browser.ts';
import { call } from '../../lib/http.ts';
import { userQuery, useUser } from '../../lib/query.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { useNeedsConnection } from '../../shared/commands/use-command.ts';
import { Button, ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Screen } from '../../ui/screen.tsx';
import { State } from '../../ui/states.tsx';

const HELD = 'muster-admin-link';

/**
 * The token after `#`: removed from the address at once and stored only in this tab until it is used, so it survives
 * the way to Telegram and back without entering the history.
 */
function takeToken(): string | null {
  const given = location.hash.slice(1);
  if (given !== '') {
    session.set(HELD, given);
    history.replaceState(history.state, '', location.pathname + location.search);
  }
  return session.get(HELD);
}

/** `/admin/first`: the one-time link that the server printed makes its visitor an administrator. */
export function FirstAdminScreen() {
  const [token] = useState(takeToken);
  const user = useUser();
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const become = useMutation({
    mutationFn: (given: string) => call('POST /api/auth/admin-link', { body: { token: given } }),
    onSuccess: () => {
      session.set(HELD, null);
      return client.invalidateQueries({ queryKey: userQuery.queryKey });
    },
  });
  if (become.isSuccess || (user?.role === 'admin' && token === null))
    return (
      <Screen title={m.desk_first_title()}>
        <State
          illustration="done"
          title={m.desk_first_done()}
          actions={<ButtonLink to="/admin">{m.desk_first_open()}</ButtonLink>}
        >
          <p>{m.desk_first_done_line()}</p>
        </State>
      </Screen>
    );
  return (
    <Screen title={m.desk_first_title()}>
      <State
        illustration="gate"
        title={token === null ? m.desk_first_none() : m.desk_first_ask()}
        actions={
          token !== null &&
          (user ? (
            <Button busy={become.isPending} disabledReason={offline} onClick={() => become.mutate(token)}>
              {m.desk_first_become({ who: user.displayName })}
            </Button>
          ) : (
            <SignInLink next="/admin/first" />
          ))
        }
      >
        <p>{token === null ? m.desk_first_none_line() : user ? m.desk_first_line() : m.desk_first_sign_in()}</p>
        {token === null && <code className="error-code ops-command">{m.desk_first_command()}</code>}
        {become.error && <Quote lead={m.member_not_done()}>{errorText(become.error)}</Quote>}
      </State>
    </Screen>
  );
}
