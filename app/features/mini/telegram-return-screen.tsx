import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../server/contract/routes.ts';
import { call, HttpError, isNetworkFailure } from '../../lib/http.ts';
import { userQuery } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button, SignInLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Loader, State } from '../../ui/states.tsx';
import { readWidgetReturn, type WidgetReturn } from './widget-return.ts';

type Stage = { kind: 'asking' } | { kind: 'missing' } | { kind: 'away' } | { kind: 'refused'; message: string };

/** Removed from the address when read: sign-in data must not stay in the history, nor be sent again by a reload. */
let taken: WidgetReturn | null = null;
const take = (): WidgetReturn | null => {
  taken = readWidgetReturn(location.search, location.hash) ?? taken;
  return taken;
};
/** One request, however often the screen renders. */
let request: Promise<OutputOf<'POST /api/auth/telegram/callback'>> | null = null;
const finish = (given: WidgetReturn) => {
  request ??= call('POST /api/auth/telegram/callback', { body: given });
  return request;
};

/** Return page of Telegram's old login widget: finishes the sign-in, or says why it failed. */
export function TelegramReturnScreen() {
  const [given] = useState(take);
  const [stage, setStage] = useState<Stage>(given ? { kind: 'asking' } : { kind: 'missing' });
  const client = useQueryClient();
  const { history } = useRouter();
  const signIn = (from: WidgetReturn) => {
    setStage({ kind: 'asking' });
    finish(from).then(
      ({ user, next }) => {
        taken = null;
        request = null;
        client.setQueryData(userQuery.queryKey, user);
        history.replace(next);
      },
      (error: unknown) => {
        request = null;
        if (isNetworkFailure(error)) return setStage({ kind: 'away' });
        taken = null;
        setStage({ kind: 'refused', message: error instanceof HttpError ? serverWords(error) : '' });
      },
    );
  };
  // Runs once with the initial data; nothing depends on later renders.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once on purpose
  useEffect(() => {
    if (location.search !== '' || location.hash !== '') history.replace('/telegram-return');
    if (given) signIn(given);
  }, []);
  return <Screen title={m.mini_return()}>{stageText(stage, () => given && signIn(given))}</Screen>;
}

function stageText(stage: Stage, onRetry: () => void) {
  if (stage.kind === 'asking') return <Loader label={m.mini_return()} />;
  if (stage.kind === 'away')
    return (
      <State
        illustration="apart"
        title={m.mini_return_failed()}
        actions={
          <Button icon="retry" onClick={onRetry}>
            {m.mini_again()}
          </Button>
        }
      >
        <p>{m.mini_return_network()}</p>
      </State>
    );
  const again = <SignInLink next="/">{m.mini_sign_in_again()}</SignInLink>;
  if (stage.kind === 'refused')
    return (
      <State illustration="broken" title={m.mini_return_failed()} actions={again}>
        <p>{stage.message}</p>
      </State>
    );
  return (
    <State illustration="empty" title={m.mini_return_none()} actions={again}>
      <p>{m.mini_return_none_line()}</p>
    </State>
  );
}
