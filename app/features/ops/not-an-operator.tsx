import './not-an-operator.css';
import { m } from '../../paraglide/messages.js';
import { Forbidden, State } from '../../ui/states.tsx';

/** Operators are appointed on the instance's machine. Without a name, the user is signed out. */
export function NotAnOperator({ telegramUserId }: { telegramUserId: string | null }) {
  if (telegramUserId === null) return <Forbidden signIn line={m.ops_signed_out_line()} />;
  return (
    <State illustration="gate" title={m.ops_forbidden_title()}>
      <p>{m.ops_forbidden_line()}</p>
      <code className="error-code ops-command">{m.ops_forbidden_command({ telegramUserId })}</code>
    </State>
  );
}
