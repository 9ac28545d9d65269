import './profile-accounts-screen.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Profile, SessionSummary } from '../../../server/contract/user.ts';
import { browserName } from '../../lib/browser-name.ts';
import { day } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { XProof } from '../../shared/communities/x-proof.tsx';
import { XRefusal } from '../../shared/communities/x-refusal.tsx';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button, OutButton, signInUrl } from '../../ui/button.tsx';
import { Card, Chip, Quote, SectionHead } from '../../ui/card.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Reading } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { XChecks } from './x-checks.tsx';
import { XUnlink } from './x-unlink.tsx';

const HERE = '/profile-accounts';

/** The accounts that prove the member's identity, and their sessions. */
export function ProfileAccountsScreen() {
  const profile = useQuery(read('GET /api/user/profile'));
  return (
    <Screen title={m.member_accounts()} back={{ to: '/settings', label: m.settings_title() }}>
      <XRefusal />
      <Reading query={profile}>
        {(mine) => (
          <div className="stack">
            <Telegram profile={mine} />
            <X profile={mine} />
          </div>
        )}
      </Reading>
      <Sessions />
    </Screen>
  );
}

function Telegram({ profile: { user } }: { profile: Profile }) {
  return (
    <Card className="linked-account">
      <h2>{m.member_telegram()}</h2>
      <p>{user.telegramUsername ? `@${user.telegramUsername}` : m.member_no_username()}</p>
      <p className="text-small text-muted">
        {user.telegramUsername ? m.member_telegram_line() : m.member_missing_telegram_how()}
      </p>
      <div className="actions">
        <OutButton kind={user.telegramUsername ? 'words' : 'edge'} icon="retry" href={signInUrl(HERE)}>
          {m.member_sign_in_again()}
        </OutButton>
      </div>
    </Card>
  );
}

function X({ profile: { user, relinkAllowedAt } }: { profile: Profile }) {
  const link = `/api/auth/x/start?next=${HERE}`;
  if (user.twitterUsername === null)
    return (
      <Card className="linked-account">
        <h2>{m.member_x()}</h2>
        <p className="text-small text-muted">{m.member_missing_x_how()}</p>
        <div className="actions">
          <OutButton icon="link" href={link}>
            {m.member_link_x()}
          </OutButton>
        </div>
        <XProof user={user} />
      </Card>
    );
  return (
    <Card className="linked-account">
      <div className="flex-row">
        <h2 className="flex-grow">{m.member_x()}</h2>
        {user.isVerified && (
          <Chip kind="ink" icon="check">
            {m.member_verified()}
          </Chip>
        )}
      </div>
      <p>{`@${user.twitterUsername}`}</p>
      <p className="text-small text-muted">
        {relinkAllowedAt === null ? m.member_x_relink_line() : m.member_x_locked_line({ date: day(relinkAllowedAt) })}
      </p>
      <div className="actions">
        {relinkAllowedAt === null ? (
          <OutButton kind="edge" icon="link" href={link}>
            {m.member_x_relink()}
          </OutButton>
        ) : (
          <Button kind="edge" icon="lock" disabledReason={m.member_x_locked({ date: day(relinkAllowedAt) })}>
            {m.member_x_relink()}
          </Button>
        )}
      </div>
      {relinkAllowedAt === null && <XProof user={user} />}
      <XChecks here={HERE} />
      <XUnlink user={user} lockedUntil={relinkAllowedAt} here={HERE} />
    </Card>
  );
}

const SESSIONS = read('GET /api/auth/sessions');

function Sessions() {
  const query = useQuery(SESSIONS);
  return (
    <section>
      <SectionHead
        title={m.member_sessions()}
        end={<span className="text-tiny text-muted">{m.member_live_only()}</span>}
      />
      <Reading query={query}>
        {(sessions) => (
          <Card className="card--rows">
            <ul className="ruled-list">
              {sessions.map((session) => (
                <li key={session.id}>
                  <Session session={session} />
                </li>
              ))}
            </ul>
          </Card>
        )}
      </Reading>
    </section>
  );
}

function Session({ session }: { session: SessionSummary }) {
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => call('DELETE /api/auth/sessions/:sessionId', { params: { sessionId: session.id } }),
    onSuccess: async () => {
      toast({ icon: 'sign-out', title: m.member_session_ended() });
      await client.invalidateQueries({ queryKey: SESSIONS.queryKey });
    },
  });
  const name = browserName(session.userAgent);
  const where = name
    ? name.system
      ? m.member_session_on({ browser: name.browser, system: name.system })
      : name.browser
    : m.member_session_unknown();
  return (
    <div className="session-row">
      <div>
        <h3>{session.kind === 'mini_app' ? m.member_session_mini_app({ where }) : where}</h3>
        <p className="text-small text-muted">
          {m.member_session_times({ since: day(session.createdAt), seen: whenWord(session.lastSeenAt) })}
        </p>
        {end.error !== null && <Quote lead={m.member_not_done()}>{errorText(end.error)}</Quote>}
      </div>
      {session.current ? (
        <Chip kind="cross">{m.member_session_this()}</Chip>
      ) : (
        <Button
          kind="no"
          busy={end.isPending}
          aria-label={m.member_session_end_named({ where })}
          onClick={() => end.mutate()}
        >
          {m.member_session_end()}
        </Button>
      )}
    </div>
  );
}
