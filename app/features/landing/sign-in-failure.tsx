import './sign-in-failure.css';
import { deviceWord } from '../../lib/surroundings.ts';
import { m } from '../../paraglide/messages.js';
import { Icon } from '../../ui/icon.tsx';

type Words = { title: string; line: string };
const denied = (): Words => ({ title: m.public_fail_denied(), line: m.public_fail_denied_line() });
const expired = (): Words => ({ title: m.public_fail_expired(), line: m.public_fail_expired_line() });
const foreign = (): Words => ({ title: m.public_fail_foreign(), line: m.public_fail_foreign_line() });
const away = (): Words => ({
  title: m.public_fail_provider(),
  line: m.public_fail_provider_line({ device: deviceWord() }),
});
const suspended = (): Words => ({ title: m.public_fail_suspended(), line: m.public_fail_suspended_line() });
const unset = (): Words => ({ title: m.public_fail_unset(), line: m.public_fail_unset_line() });
const failed = (): Words => ({ title: m.public_fail_failed(), line: m.public_fail_failed_line() });

/** Texts for `?sign-in=<reason>`, which the server adds after a failed sign-in. */
const WORDS: ReadonlyMap<string, () => Words> = new Map([
  ['SIGN_IN_CANCELLED', denied],
  ['SIGN_IN_EXPIRED', expired],
  ['TELEGRAM_UNAVAILABLE', away],
  ['TELEGRAM_NOT_CONFIGURED', unset],
  ['SUSPENDED', suspended],
  ['SIGN_IN_REFUSED', failed],
  ['DENIED', denied],
  ['EXPIRED', expired],
  ['FOREIGN_BROWSER', foreign],
  ['PROVIDER_UNAVAILABLE', away],
  ['FAILED', failed],
]);

/** Why a sign-in failed and what to do; nothing when none was tried. An unknown reason is a general failure. */
export function SignInFailure() {
  const reason = new URLSearchParams(globalThis.location.search).get('sign-in');
  if (reason === null) return null;
  const { title, line } = (WORDS.get(reason.toUpperCase()) ?? failed)();
  return (
    <div className="sign-in-failure" role="alert">
      <Icon name="warning" size={24} />
      <div>
        <b>{title}</b>
        <p className="text-small">{line}</p>
      </div>
    </div>
  );
}
