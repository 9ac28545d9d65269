import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../server/contract/routes.ts';
import { call, HttpError, isNetworkFailure } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import { storedXIntent } from '../../lib/x-intent.ts';
import { m } from '../../paraglide/messages.js';
import { addressTarget } from '../../ui/address-link.tsx';
import { Button, ButtonLink, OutButton, SignInLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ErrorCode, Loader, State } from '../../ui/states.tsx';
import { type LinkProblem, problemOf, readReturn, type XReturn } from './twitter-return.ts';

type Linked = OutputOf<'POST /api/auth/x/complete'>;
type Stage =
  | { kind: 'linking' }
  | { kind: 'linked'; linked: Linked }
  | { kind: 'refused'; problem: LinkProblem; error: unknown }
  | { kind: 'denied' }
  | { kind: 'failed'; error: string }
  | { kind: 'missing' };

/** One request per state parameter, however often the screen renders: X's code works once and lives 30 seconds. */
const requests = new Map<string, Promise<Linked>>();
function complete({ code, state }: { code: string; state: string }): Promise<Linked> {
  const under = requests.get(state) ?? call('POST /api/auth/x/complete', { body: { code, state } });
  requests.set(state, under);
  return under;
}

/** X's parameters, removed from the address when read: a code must not stay in the history or be sent twice. */
let returned: XReturn | null = null;
function takeReturn(): XReturn {
  const now = readReturn(location.search);
  if (now.kind !== 'missing' || returned === null) returned = now;
  return returned;
}

/** Return page of X: finishes linking, or says why it failed and what to do. */
export function TwitterReturnScreen() {
  const [given] = useState(takeReturn);
  const [stage, setStage] = useState<Stage>(() => (given.kind === 'code' ? { kind: 'linking' } : given));
  const client = useQueryClient();
  const { history } = useRouter();
  const link = (from: { code: string; state: string }) => {
    setStage({ kind: 'linking' });
    complete(from).then(
      (linked) => {
        client.setQueryData(userQuery.queryKey, linked.user);
        setStage({ kind: 'linked', linked });
      },
      (error: unknown) => {
        // A request that never arrived may be sent again; an answer is final.
        if (isNetworkFailure(error)) requests.delete(from.state);
        const shownError = error instanceof HttpError ? error : { status: 0, reason: 'NETWORK' };
        setStage({ kind: 'refused', problem: problemOf(shownError), error });
      },
    );
  };
  // Runs once with the initial data; nothing depends on later renders.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once on purpose
  useEffect(() => {
    if (location.search !== '') history.replace('/twitter-return');
    if (given.kind === 'code') link(given);
    // The frame may remount this screen while the user loads; clean up only on navigation.
    return () => {
      if (location.pathname !== '/twitter-return') returned = null;
    };
  }, []);
  return (
    <Screen title={m.member_return()}>
      <StageShown stage={stage} onRetry={() => given.kind === 'code' && link(given)} />
    </Screen>
  );
}

const again = (
  <>
    <OutButton icon="link" href="/api/auth/x/start?next=/community-selector">
      {m.member_return_again()}
    </OutButton>
    <ButtonLink kind="words" to="/community-selector">
      {m.member_return_later()}
    </ButtonLink>
  </>
);

function StageShown({ stage, onRetry }: { stage: Stage; onRetry: () => void }) {
  const [intent] = useState(storedXIntent);
  if (stage.kind === 'linking') return <Loader label={m.member_return_linking()} />;
  if (stage.kind === 'linked')
    return (
      <State
        illustration="done"
        title={m.member_return_linked({ name: `@${stage.linked.user.twitterUsername}` })}
        actions={<ButtonLink {...addressTarget(stage.linked.next)}>{m.member_return_continue()}</ButtonLink>}
      >
        <p>{m.member_return_linked_line()}</p>
      </State>
    );
  if (stage.kind === 'denied')
    return (
      <State illustration="gate" title={m.member_return_denied()} actions={again}>
        <p>{m.member_return_denied_line()}</p>
      </State>
    );
  if (stage.kind === 'missing')
    return intent ? (
      <State
        illustration="done"
        title={m.xtask_back_title()}
        actions={
          <ButtonLink to="/engagement-complete" search={{ community: intent.communityId, task: intent.taskId }}>
            {m.xtask_back_go()}
          </ButtonLink>
        }
      >
        <p>{m.xtask_back_line({ task: intent.title })}</p>
      </State>
    ) : (
      <State illustration="empty" title={m.member_return_missing()} actions={again}>
        <p>{m.member_return_missing_line()}</p>
      </State>
    );
  if (stage.kind === 'failed')
    return (
      <State illustration="broken" title={m.member_return_failed()} actions={again}>
        <p>{m.member_return_failed_line({ error: stage.error })}</p>
      </State>
    );
  return <Refused problem={stage.problem} error={stage.error} onRetry={onRetry} />;
}

const PROBLEMS: Record<LinkProblem, { title: () => string; line: () => string }> = {
  state: { title: m.member_return_state, line: m.member_return_state_line },
  expired: { title: m.member_return_expired, line: m.member_return_expired_line },
  taken: { title: m.member_return_taken, line: m.member_return_taken_line },
  locked: { title: m.member_return_locked, line: m.member_return_locked_line },
  'signed-out': { title: m.member_return_signed_out, line: m.member_return_signed_out_line },
  offline: { title: m.member_return_offline, line: m.member_return_offline_line },
  other: { title: m.member_return_failed, line: m.member_return_other_line },
};

function Refused({ problem, error, onRetry }: { problem: LinkProblem; error: unknown; onRetry: () => void }) {
  const words = PROBLEMS[problem];
  const actions =
    problem === 'offline' ? (
      <Button icon="retry" onClick={onRetry}>
        {m.member_try_again()}
      </Button>
    ) : problem === 'signed-out' ? (
      <SignInLink next="/community-selector" />
    ) : problem === 'locked' ? (
      <ButtonLink to="/profile-accounts">{m.member_accounts()}</ButtonLink>
    ) : (
      again
    );
  return (
    <State illustration={problem === 'offline' ? 'apart' : 'broken'} title={words.title()} actions={actions}>
      <p>{words.line()}</p>
      {error instanceof HttpError && (
        <>
          <p className="text-small">{serverWords(error)}</p>
          <ErrorCode error={error} />
        </>
      )}
    </State>
  );
}
