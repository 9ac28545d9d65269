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
import { keepDraft, readDraft } from '../engagement/draft.ts';
import { LoaderScreen } from '../gate/loader-screen.tsx';
import { UnknownScreen } from '../gate/unknown-screen.tsx';
import { useAuthState } from '../gate/use-auth-state.ts';
import { type Choice, PickTask, type SharedKinds } from './pick-task.tsx';
import { SendPicture } from './send-picture.tsx';
import {
  changeShared,
  forgetShared,
  hasPicture,
  keepShared,
  readPicture,
  readShared,
  sharedText,
  takePosted,
} from './shared.ts';
import { SharedPicture } from './shared-picture.tsx';
import { WriteShared } from './write-shared.tsx';

/** Where the system's share sheet ends: what was shared becomes the answer to a task, without a connection too. */
export function ShareScreen() {
  const search: Record<string, string> = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useAuthState();
  const user = useQuery(userQuery).data ?? null;
  const arrived = sharedText(search);
  useState(() => arrived !== '' && keepShared(arrived, null));
  const [taken, setTaken] = useState(false);
  useEffect(() => void takePosted().finally(() => setTaken(true)), []);
  // The address lets go of it: a reload, a bookmark or a way back would bring it again.
  useEffect(() => {
    if (arrived !== '') void navigate({ to: '/share', search: {}, replace: true });
  }, [arrived, navigate]);
  if (state === 'loading' || arrived !== '' || !taken) return <LoaderScreen />;
  if (state === 'unknown') return <UnknownScreen />;
  if (state === 'revoked') return <Navigate to="/" replace />;
  if (search['lost'] === 'missed') return <Missed />;
  if (search['lost'] !== undefined) return <Lost />;
  return user === null ? <SignedOut /> : <Shared key={user.id} user={user} />;
}

function SignedOut() {
  const [text] = useState(() => readShared(null));
  const picture = usePicture(null);
  if (text === '' && !hasPicture(null)) return <Nothing />;
  return (
    <Screen title={m.shell_share_title()}>
      <SharedThings text={text} picture={picture} />
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
  const picture = usePicture(user.id);
  const isEmpty = text === '' && !hasPicture(user.id);
  if (isEmpty && choice === null) return <Nothing />;
  const onSent = () => {
    forgetShared();
    if (choice) void navigate({ to: `/community/${choice.community.slug}/dashboard` });
  };
  if (choice?.task.kind === 'submit_image' && picture)
    return <SendPicture choice={choice} picture={picture} onBack={() => setChoice(null)} onSent={onSent} />;
  if (choice)
    return (
      <WriteShared
        choice={choice}
        shared={text}
        onBack={(written) => {
          setText(written);
          setChoice(null);
        }}
        onWrite={(written) => changeShared(written, user.id)}
        onSent={onSent}
      />
    );
  return (
    <Screen title={m.shell_share_title()} lead={m.shell_share_lead()}>
      <SharedThings
        text={text}
        picture={picture}
        onDiscard={() => {
          forgetShared();
          setText('');
        }}
      />
      <PickTask
        kinds={kindsOf(text, hasPicture(user.id))}
        onPick={(picked) => {
          // The words go along with the picture, unless there were others for it before.
          if (picked.task.kind === 'submit_image' && readDraft(picked.task.id) === '') keepDraft(picked.task.id, text);
          setChoice(picked);
        }}
      />
    </Screen>
  );
}

const kindsOf = (text: string, picture: boolean): SharedKinds =>
  new Set([...(picture ? (['submit_image'] as const) : []), ...(text === '' ? [] : (['submit_text'] as const))]);

/** The picture that was shared, once it is read. */
function usePicture(userId: string | null): Blob | null {
  const [picture, setPicture] = useState<Blob | null>(null);
  useEffect(() => {
    void readPicture(userId)
      .catch(() => null)
      .then(setPicture);
  }, [userId]);
  return picture;
}

function SharedThings(props: { text: string; picture: Blob | null; onDiscard?: () => void }) {
  const { text, picture, onDiscard } = props;
  return (
    <section className="card shared-card" aria-label={m.shell_share_shared()}>
      {picture && <SharedPicture picture={picture} />}
      {text !== '' && <p className="shared-card__words">{text}</p>}
      {onDiscard && (
        <button type="button" className="button button--words" onClick={onDiscard}>
          {m.shell_share_discard()}
        </button>
      )}
    </section>
  );
}

/** The device had no room for what was handed over. */
function Lost() {
  return (
    <Screen title={m.shell_share_title()}>
      <Empty title={m.shell_share_lost()} line={m.shell_share_lost_line()} />
    </Screen>
  );
}

/** No service worker was there to take it: the form went to the server, which keeps none. This page starts one. */
function Missed() {
  return (
    <Screen title={m.shell_share_title()}>
      <Empty title={m.shell_share_missed()} line={m.shell_share_missed_line({ product: product.name })} />
    </Screen>
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
