import { useSearch } from '../../lib/search.ts';
import './share-screen.css';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { stampTime } from '../../lib/format.ts';
import { product } from '../../lib/product.ts';
import { userQuery } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { readDraft, storeDraft } from '../../shared/tasks/draft.ts';
import { ButtonLink, SignInLink } from '../../ui/button.tsx';
import { LoaderScreen } from '../../ui/loader-screen.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Empty, State } from '../../ui/states.tsx';
import { UnknownScreen } from '../gate/unknown-screen.tsx';
import { useAuthState } from '../gate/use-auth-state.ts';
import { type Choice, PickTask, type SharedKinds } from './pick-task.tsx';
import { SendPicture } from './send-picture.tsx';
import {
  changeShared,
  dismissShared,
  moveToFront,
  readPicture,
  type Shared as SharedThing,
  sharedText,
  storeShared,
  takePosted,
  waiting,
} from './shared.ts';
import { WriteShared } from './write-shared.tsx';
import '../../shared/answers/sent-picture.css';
import { show } from '../../shared/answers/picture.ts';

/** Target of the system's share sheet: turns shared content into an answer to a task, also offline. */
export function ShareScreen() {
  const [search] = useSearch('/share');
  const navigate = useNavigate();
  const state = useAuthState();
  const user = useQuery(userQuery).data ?? null;
  const arrived = sharedText(search);
  const [isForeign] = useState(() => arrived !== '' && isOfAnotherSite());
  useState(() => isForeign || storeShared(arrived, null, 'link'));
  const [taken, setTaken] = useState(false);
  useEffect(() => void takePosted().finally(() => setTaken(true)), []);
  // Clears the address, so a reload, a bookmark or Back does not add the content again.
  useEffect(() => {
    if (arrived !== '') void navigate({ to: '/share', search: {}, replace: true });
  }, [arrived, navigate]);
  if (state === 'loading' || arrived !== '' || !taken) return <LoaderScreen />;
  if (state === 'unknown') return <UnknownScreen />;
  if (state === 'revoked') return <Navigate to="/" replace />;
  if (isForeign || search.lost === 'foreign') return <Foreign />;
  if (search.lost === 'missed') return <Missed />;
  if (search.lost !== undefined) return <Lost />;
  return user === null ? <SignedOut /> : <Shared key={user.id} user={user} />;
}

/** Whether a link on another site led here: sharing does not work that way. */
const isOfAnotherSite = (): boolean =>
  /^https?:/.test(document.referrer) && new URL(document.referrer).origin !== location.origin;

function SignedOut() {
  const [[first, ...earlier], setAll] = useState(() => waiting(null));
  const picture = usePicture(null, first);
  if (!first) return <Nothing />;
  return (
    <Screen title={m.shell_share_title()}>
      <SharedThings shared={first} picture={picture} />
      <Earlier
        earlier={earlier}
        onUse={(id) => {
          moveToFront(id);
          setAll(waiting(null));
        }}
      />
      <State illustration="gate" title={m.shell_share_sign_in()} actions={<SignInLink next="/share" />}>
        <p>{m.shell_share_sign_in_line()}</p>
      </State>
    </Screen>
  );
}

function Shared({ user }: { user: User }) {
  const navigate = useNavigate();
  const [all, setAll] = useState(() => waiting(user.id));
  const [choice, setChoice] = useState<Choice | null>(null);
  const [first, ...earlier] = all;
  const picture = usePicture(user.id, first);
  const look = () => setAll(waiting(user.id));
  if (!first) return <Nothing />;
  const { text } = first;
  const onSent = () => {
    dismissShared(first.id);
    if (choice)
      void navigate({ to: '/community/$communityId/dashboard', params: { communityId: choice.community.slug } });
  };
  if (choice?.task.kind === 'submit_image' && picture)
    return <SendPicture choice={choice} picture={picture} onBack={() => setChoice(null)} onSent={onSent} />;
  if (choice)
    return (
      <WriteShared
        choice={choice}
        shared={text}
        onBack={(written) => {
          setAll(all.map((one) => (one === first ? { ...one, text: written } : one)));
          setChoice(null);
        }}
        onWrite={(written) => changeShared(written, user.id)}
        onSent={onSent}
      />
    );
  return (
    <Screen title={m.shell_share_title()} lead={m.shell_share_lead()}>
      <SharedThings
        shared={first}
        picture={picture}
        onDiscard={() => {
          dismissShared(first.id);
          look();
        }}
      />
      <Earlier
        earlier={earlier}
        onUse={(id) => {
          moveToFront(id);
          look();
        }}
      />
      <PickTask
        kinds={kindsOf(text, first.picture === true)}
        onPick={(picked) => {
          // The text accompanies the picture as a note, unless its draft has another.
          if (picked.task.kind === 'submit_image' && readDraft(picked.task.id) === '') storeDraft(picked.task.id, text);
          setChoice(picked);
        }}
      />
    </Screen>
  );
}

const kindsOf = (text: string, picture: boolean): SharedKinds =>
  new Set([...(picture ? (['submit_image'] as const) : []), ...(text === '' ? [] : (['submit_text'] as const))]);

/** The shared picture, once it is read. */
function usePicture(userId: string | null, shared: SharedThing | undefined): Blob | null {
  const [picture, setPicture] = useState<Blob | null>(null);
  const id = shared?.picture ? shared.id : null;
  useEffect(() => {
    let isOver = false;
    setPicture(null);
    if (id !== null)
      void readPicture(userId)
        .catch(() => null)
        .then((read) => isOver || setPicture(read));
    return () => {
      isOver = true;
    };
  }, [userId, id]);
  return picture;
}

function SharedThings(props: { shared: SharedThing; picture: Blob | null; onDiscard?: () => void }) {
  const { shared, picture, onDiscard } = props;
  const { text } = shared;
  return (
    <section className="card shared-card" aria-label={m.shell_share_shared()}>
      {picture && <SharedPicture picture={picture} />}
      {text !== '' && <p className="shared-card__words">{text}</p>}
      <p className="text-small text-muted">{cameFrom(shared)}</p>
      {onDiscard && (
        <button type="button" className="button button--words" onClick={onDiscard}>
          {m.shell_share_discard()}
        </button>
      )}
    </section>
  );
}

const cameFrom = ({ from, at }: SharedThing): string =>
  from === 'link' ? m.shell_share_by_link({ time: stampTime(at) }) : m.shell_share_by_form({ time: stampTime(at) });

/** Earlier content that is still waiting. */
function Earlier({ earlier, onUse }: { earlier: readonly SharedThing[]; onUse: (id: string) => void }) {
  if (earlier.length === 0) return null;
  return (
    <section className="stack" aria-label={m.shell_share_earlier()}>
      <h2 className="text-small">{m.shell_share_earlier()}</h2>
      {earlier.map(({ id, text, at }) => (
        <button key={id} type="button" className="button button--edge shared-earlier" onClick={() => onUse(id)}>
          <span>{text === '' ? m.shell_share_picture() : text}</span>
          <span className="text-muted">{stampTime(at)}</span>
        </button>
      ))}
    </section>
  );
}

/** Another site's page sent this: none of it is stored. */
function Foreign() {
  return (
    <Screen title={m.shell_share_title()}>
      <Empty
        title={m.shell_share_foreign()}
        line={m.shell_share_foreign_line()}
        action={
          <a className="button button--edge" href="/share">
            {m.shell_share_shared()}
          </a>
        }
      />
    </Screen>
  );
}

/** The device had no room for the content. */
function Lost() {
  return (
    <Screen title={m.shell_share_title()}>
      <Empty title={m.shell_share_lost()} line={m.shell_share_lost_line()} />
    </Screen>
  );
}

/** Without a service worker the form went to the server, which stores none. This page starts one. */
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

/** A preview of the shared picture; text where this browser cannot read it. */
function SharedPicture({ picture }: { picture: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isGone = false;
    if (canvas.current) show(picture, canvas.current, () => !isGone).catch(() => setBroken(true));
    return () => {
      isGone = true;
    };
  }, [picture]);
  if (isBroken) return <p>{m.member_picture_unreadable()}</p>;
  return <canvas ref={canvas} className="picture" role="img" aria-label={m.shell_share_picture()} />;
}
