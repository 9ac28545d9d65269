import './twitter-demo-screen.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PostCheck } from '../../../server/contract/x.ts';
import { postIn, X_PASTE_MAX } from '../../../server/contract/x-post.ts';
import { copyText, session } from '../../lib/browser.ts';
import { call, HttpError } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { postLinkProblem } from '../../lib/post-link.ts';
import { product } from '../../lib/product.ts';
import { read } from '../../lib/query.ts';
import { serverWords } from '../../lib/server-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card, Points } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon, Mark, type MarkState } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { ErrorCode } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

/** This tab's attempt, so a person who returns from X or reloads can continue. */
const TRY = 'muster-x-demo';
type Try = { code: string; link: string; opened: boolean };

/** No easily confused letters and digits. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const newCode = (): string =>
  [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => SIGNS[byte % SIGNS.length]).join('');
const freshTry = (): Try => ({ code: newCode(), link: '', opened: false });

function storedTry(): Try {
  try {
    const stored = JSON.parse(session.get(TRY) ?? 'null') as Partial<Try> | null;
    if (/^[A-Z0-9]{6}$/.test(stored?.code ?? '')) return { ...freshTry(), ...stored };
  } catch {
    // Written by something else: a new attempt starts.
  }
  return freshTry();
}

/** How a task on X is proven, without an account or points: intent, return, proof, receipt. */
export function TwitterDemoScreen() {
  const [current, setCurrent] = useState(storedTry);
  const check = useMutation({
    mutationFn: (body: { url: string; code: string }) => call('POST /api/x/post-checks', { body }),
  });
  const change = (next: Partial<Try>) => {
    const changed = { ...current, ...next };
    session.set(TRY, JSON.stringify(changed));
    setCurrent(changed);
  };
  const restart = () => {
    check.reset();
    change(freshTry());
  };
  return (
    <Screen title={m.xdemo_title()} lead={m.xdemo_lead()} aside={<Aside />}>
      <ol className="post-demo">
        <Step title={m.xdemo_post()} state={current.opened ? 'ink' : 'slot'}>
          <Intent code={current.code} onOpen={() => change({ opened: true })} />
        </Step>
        <Step title={m.xdemo_proof()} state={check.data ? 'ink' : 'slot'}>
          <Proof
            link={current.link}
            busy={check.isPending}
            error={check.error}
            onLink={(link) => change({ link })}
            onCheck={() => check.mutate({ url: postIn(current.link)?.url ?? current.link, code: current.code })}
          />
        </Step>
        <Step title={m.xdemo_receipt()} state={check.data?.hasCode ? 'ink' : check.data ? 'refused' : 'slot'}>
          {check.data ? (
            <Receipt found={check.data} code={current.code} onRestart={restart} />
          ) : (
            <p>{m.xdemo_receipt_later()}</p>
          )}
        </Step>
      </ol>
    </Screen>
  );
}

function Step({ title, state, children }: { title: string; state: MarkState; children: ReactNode }) {
  return (
    <li>
      <Card className="post-demo__step">
        <div className="flex-row">
          <Mark state={state} />
          <h2>{title}</h2>
        </div>
        {children}
      </Card>
    </li>
  );
}

function Intent({ code, onOpen }: { code: string; onOpen: () => void }) {
  const online = useOnline();
  const { data, isPending } = useQuery(read('GET /api/x/intents'));
  const text = m.xdemo_text({ product: product.name, code });
  const copy = async () => {
    if (await copyText(text)) toast({ icon: 'check', title: m.xdemo_copied() });
    else toast({ icon: 'warning', title: m.xdemo_copy_by_hand() });
  };
  return (
    <>
      <p>{m.xdemo_post_line()}</p>
      <p className="post-demo__text">{text}</p>
      <div className="actions">
        {data && online ? (
          <a
            className="button"
            href={`${data.post}?text=${encodeURIComponent(text)}`}
            target="_blank"
            rel="noreferrer"
            onClick={onOpen}
          >
            <Icon name="link" />
            {m.xdemo_open()}
          </a>
        ) : (
          // The same size as the link that replaces it, while that is loading.
          <Button
            icon="link"
            busy={online && isPending}
            disabledReason={!online ? m.xdemo_offline() : isPending ? null : m.xdemo_asking()}
          >
            {m.xdemo_open()}
          </Button>
        )}
        <Button kind="edge" icon="copy" onClick={() => void copy()}>
          {m.xdemo_copy()}
        </Button>
      </div>
    </>
  );
}

function Proof(props: {
  link: string;
  busy: boolean;
  error: unknown;
  onLink: (link: string) => void;
  onCheck: () => void;
}) {
  const online = useOnline();
  const link = props.link.trim();
  const wrong = postLinkProblem(link);
  const reason = !online ? m.xdemo_offline_check() : link === '' ? m.xdemo_link_first() : null;
  return (
    <form
      className="post-demo__form"
      onSubmit={(event) => {
        event.preventDefault();
        if (wrong === null) props.onCheck();
      }}
    >
      <p>{m.xdemo_proof_line()}</p>
      <Field
        label={m.xdemo_link()}
        inputMode="url"
        value={props.link}
        maxLength={X_PASTE_MAX}
        autoComplete="off"
        spellCheck={false}
        placeholder="https://x.com/you/status/1234567890"
        error={link === '' ? null : wrong}
        onValue={props.onLink}
      />
      {props.error !== null && (
        <div role="alert">
          <p>{props.error instanceof HttpError ? serverWords(props.error) : m.xdemo_no_answer()}</p>
          {props.error instanceof HttpError && <ErrorCode error={props.error} />}
        </div>
      )}
      <div className="actions">
        <Button type="submit" busy={props.busy} disabledReason={reason ?? wrong}>
          {m.xdemo_check()}
        </Button>
      </div>
    </form>
  );
}

function Receipt({ found, code, onRestart }: { found: PostCheck; code: string; onRestart: () => void }) {
  return (
    <div role="status" className="post-demo__form">
      <ul className="post-demo__checks">
        <li>
          <Mark state={found.found ? 'ink' : 'refused'} />
          {found.author ? m.xdemo_found({ author: `@${found.author}` }) : m.xdemo_not_found()}
        </li>
        {found.found && (
          <li>
            <Mark state={found.hasCode ? 'ink' : 'refused'} />
            {found.hasCode ? m.xdemo_code({ code }) : m.xdemo_no_code({ code })}
          </li>
        )}
      </ul>
      <p>
        <b>
          <Points value={0} />
        </b>{' '}
        {found.hasCode ? m.xdemo_done() : m.xdemo_not_done()}
      </p>
      <div className="actions">
        <Button kind="edge" icon="retry" onClick={onRestart}>
          {m.xdemo_again()}
        </Button>
      </div>
    </div>
  );
}

const Aside = () => (
  <Card className="stack">
    <h2>{m.xdemo_why()}</h2>
    <p>{m.xdemo_why_line()}</p>
    <p className="text-small text-muted">{m.xdemo_kept()}</p>
  </Card>
);
