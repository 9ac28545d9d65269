import './not-an-operator.css';
import { m } from '../../paraglide/messages.js';
import { Forbidden, State } from '../../ui/states.tsx';

/** Who may come in is decided on the machine that this instance runs on; without a name one is signed out. */
export function NotAnOperator({ telegramUserId }: { telegramUserId: string | null }) {
  if (telegramUserId === null) return <Forbidden signIn line={m.ops_signed_out_line()} />;
  return (
    <State illustration="gate" title={m.ops_forbidden_title()}>
      <p>{m.ops_forbidden_line()}</p>
      <code className="error-code ops-command">{m.ops_forbidden_command({ telegramUserId })}</code>
    </State>
  );
}
