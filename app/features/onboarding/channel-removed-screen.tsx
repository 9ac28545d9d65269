import './channel-removed-screen.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MembershipStatus } from '../../../server/contract/user.ts';
import { stampTime } from '../../lib/format.ts';
import { call, isNetworkFailure, statusOf } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { read, userQuery } from '../../lib/query.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { useUnsent } from '../../lib/unsent.ts';
import { m } from '../../paraglide/messages.js';
import { Button, ButtonLink, OutButton, SignInLink } from '../../ui/button.tsx';
import type { IllustrationName } from '../../ui/illustration.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Failed, Skeleton, State } from '../../ui/states.tsx';

const membership = read('GET /api/auth/membership');

/** The member's status in the required channel, a link to rejoin, and a check with its result. */
export function ChannelRemovedScreen() {
  // Read again at each visit: an old answer about being shut out does not help.
  const query = useQuery({ ...membership, staleTime: 0 });
  return (
    <Screen title={m.public_channel_title()}>
      {query.data ? (
        <Standing status={query.data} />
      ) : query.error ? (
        <NoAnswer error={query.error} onRetry={() => query.refetch()} />
      ) : (
        <Skeleton rows={1} />
      )}
    </Screen>
  );
}

function NoAnswer({ error, onRetry }: { error: Error; onRetry: () => unknown }) {
  if (statusOf(error) === 401)
    return (
      <State
        illustration="gate"
        title={m.public_channel_out()}
        actions={<SignInLink>{m.shell_get_started()}</SignInLink>}
      >
        <p>{m.public_channel_out_line()}</p>
      </State>
    );
  if (isNetworkFailure(error))
    return (
      <State
        illustration="apart"
        title={m.public_channel_offline()}
        actions={
          <Button kind="edge" icon="retry" onClick={onRetry}>
            {m.public_check_again()}
          </Button>
        }
      >
        <p>{m.public_channel_offline_line({ device: deviceWord() })}</p>
      </State>
    );
  return <Failed error={error} onRetry={onRetry} />;
}

type Words = { illustration: IllustrationName; title: string; line: string };
function wordsFor(status: MembershipStatus): Words {
  const channel = status.channelTitle ?? m.public_channel_the();
  if (!status.required)
    return { illustration: 'done', title: m.public_channel_free(), line: m.public_channel_free_line() };
  switch (status.state) {
    case 'member':
      return { illustration: 'done', title: m.public_channel_in(), line: m.public_channel_in_line({ channel }) };
    case 'left':
      return { illustration: 'gate', title: m.public_channel_left({ channel }), line: m.public_channel_left_line() };
    case 'kicked':
      return {
        illustration: 'gate',
        title: m.public_channel_kicked({ channel }),
        line: m.public_channel_kicked_line(),
      };
    case 'restricted':
      return {
        illustration: 'gate',
        title: m.public_channel_restricted({ channel }),
        line: m.public_channel_restricted_line(),
      };
    case 'unknown':
      return {
        illustration: 'apart',
        title: m.public_channel_unknown(),
        line: m.public_channel_unknown_line({ channel }),
      };
  }
}

/** The result of checking with Telegram again. */
function outcomeOf(status: MembershipStatus): string {
  if (!status.asked) return m.public_channel_cannot();
  if (!status.required || status.state === 'member') return m.public_channel_back();
  return status.state === 'unknown' ? m.public_channel_unsure() : m.public_channel_still();
}

function Standing({ status }: { status: MembershipStatus }) {
  const client = useQueryClient();
  const online = useOnline();
  const unsent = useUnsent().length;
  const check = useMutation({
    mutationFn: () => call('POST /api/auth/membership/check'),
    async onSuccess(answer) {
      client.setQueryData(membership.queryKey, answer);
      await client.invalidateQueries({ queryKey: userQuery.queryKey });
    },
  });
  const { illustration, title, line } = wordsFor(status);
  const mayContinue = !status.required || status.state === 'member';
  const channel = status.channelTitle ?? m.public_channel_the();
  const result: ReactNode = check.isSuccess ? outcomeOf(check.data) : check.isError ? m.public_channel_failed() : null;
  return (
    <State
      illustration={illustration}
      title={title}
      actions={
        mayContinue ? (
          <ButtonLink to="/">{m.public_continue()}</ButtonLink>
        ) : (
          <>
            {status.rejoinUrl && (
              <OutButton href={status.rejoinUrl} icon="send">
                {m.public_channel_rejoin({ channel })}
              </OutButton>
            )}
            <Button
              kind={status.rejoinUrl ? 'edge' : 'ink'}
              icon="retry"
              busy={check.isPending}
              disabledReason={online ? null : m.public_reason_connection()}
              onClick={() => check.mutate()}
            >
              {m.public_check_again()}
            </Button>
          </>
        )
      }
      note={
        status.required &&
        (status.checkedAt
          ? m.public_channel_told({ channel, time: stampTime(status.checkedAt) })
          : m.public_channel_never({ channel }))
      }
    >
      <p>{line}</p>
      {unsent > 0 && <p className="text-small">{m.public_channel_kept({ count: unsent, device: deviceWord() })}</p>}
      <p className="channel-result" role="status">
        {result}
      </p>
    </State>
  );
}
