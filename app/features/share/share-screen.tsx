import './share-screen.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { product } from '../../lib/product.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink, SignInLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, State } from '../../ui/states.tsx';
import { LoaderScreen } from '../gate/loader-screen.tsx';
import { useAuthState } from '../gate/use-auth-state.ts';
import { type Choice, PickTask } from './pick-task.tsx';
import { forgetShared, keepShared, readShared, sharedText } from './shared.ts';
import { WriteShared } from './write-shared.tsx';

/** Where the system's share sheet ends: what was shared becomes the answer to a task, without a connection too. */
export function ShareScreen() {
  const search: Record<string, string> = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useAuthState();
  const user = useQuery(userQuery).data ?? null;
  const arrived = sharedText(search);
  useState(() => arrived !== '' && keepShared(arrived, null));
  // The address lets go of it: a reload, a bookmark or a way back would bring it again.
  useEffect(() => {
    if (arrived !== '') void navigate({ to: '/share', search: {}, replace: true });
  }, [arrived, navigate]);
  if (state === 'loading' || arrived !== '') return <LoaderScreen />;
  if (state === 'revoked') return <Navigate to="/" replace />;
  return user === null ? <SignedOut /> : <Shared key={user.id} user={user} />;
}

function SignedOut() {
  const [text] = useState(() => readShared(null));
  if (text === '') return <Nothing />;
  return (
    <Screen title={m.shell_share_title()}>
      <SharedWords text={text} />
      <State illustration="gate" title={m.shell_share_sign_in()} actions={<SignInLink next="/share" />}>
        <p>{m.shell_share_sign_in_line()}</p>
      </State>
    </Screen>
  );
}

function Shared({ user }: { user: User }) {
  const navigate = useNavigate();
  const [text, setText] = useState(() => readShared(user.id));
  const [choice, setChoice] = useState<Choice | null>(null);
  if (text === '' && choice === null) return <Nothing />;
  if (choice)
    return (
      <WriteShared
        choice={choice}
        shared={text}
        onBack={(written) => {
          setText(written);
          setChoice(null);
        }}
        onWrite={(written) => keepShared(written, user.id)}
        onSent={() => {
          forgetShared();
          void navigate({ to: `/community/${choice.community.slug}/dashboard` });
        }}
      />
    );
  return (
    <Screen title={m.shell_share_title()} lead={m.shell_share_lead()}>
      <SharedWords
        text={text}
        onDiscard={() => {
          forgetShared();
          setText('');
        }}
      />
      <PickTask onPick={setChoice} />
    </Screen>
  );
}

function SharedWords({ text, onDiscard }: { text: string; onDiscard?: () => void }) {
  return (
    <section className="card shared-card" aria-label={m.shell_share_shared()}>
      <p className="shared-card__words">{text}</p>
      {onDiscard && (
        <button type="button" className="button button--words" onClick={onDiscard}>
          {m.shell_share_discard()}
        </button>
      )}
    </section>
  );
}

function Nothing() {
  return (
    <Screen title={m.shell_share_title()}>
      <Empty
        title={m.shell_share_nothing()}
        line={m.shell_share_nothing_line({ product: product.name })}
        action={
          <ButtonLink kind="edge" to="/communities">
            {m.shell_to_communities()}
          </ButtonLink>
        }
      />
    </Screen>
  );
}
