import './proof-post.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '../../../server/contract/user.ts';
import { postIn, X_PASTE_MAX } from '../../../server/contract/x-post.ts';
import { copyText, session } from '../../lib/browser.ts';
import { timeOfDay } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { useOnline } from '../../lib/online.ts';
import { postLinkProblem } from '../../lib/post-link.ts';
import { product } from '../../lib/product.ts';
import { read, userQuery } from '../../lib/query.ts';
import { errorText } from '../../lib/refusal-words.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Quote } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast } from '../../ui/toast.tsx';

/** The code of this tab, so a member who returns from X or reloads can continue. The server stores only its digest. */
const KEY = 'muster-x-proof';
type Code = { userId: string; code: string; expiresAt: string };

function storedCode(userId: string): Code | null {
  try {
    const stored = JSON.parse(session.get(KEY) ?? 'null') as Code | null;
    return stored?.userId === userId && /^[A-Z2-9]{10}$/.test(stored.code) ? stored : null;
  } catch {
    return null;
  }
}

/** Links an X account by a post with a one-time code, where X's sign-in does not work. */
export function XProof({ user }: { user: User }) {
  const [held, setHeld] = useState(() => storedCode(user.id));
  const [url, setUrl] = useState('');
  const [tried, setTried] = useState(false);
  const online = useOnline();
  const client = useQueryClient();
  const take = useMutation({
    mutationFn: () => call('POST /api/auth/x/proof-codes', {}),
    onSuccess: (given) => {
      const next = { userId: user.id, ...given };
      session.set(KEY, JSON.stringify(next));
      setHeld(next);
    },
  });
  const prove = useMutation({
    mutationFn: () => call('POST /api/auth/x/proof', { body: { url: postIn(url)?.url ?? url } }),
    onSuccess: async ({ user: now }) => {
      session.set(KEY, null);
      setHeld(null);
      setUrl('');
      client.setQueryData(userQuery.queryKey, now);
      toast({ icon: 'check', title: m.xtask_proof_done({ name: `@${now.twitterUsername}` }) });
      await client.invalidateQueries();
    },
  });
  const post = postIn(url);
  const offline = online ? null : m.xtask_proof_offline();
  const error = take.error ?? prove.error;
  return (
    <details className="disclosure proof-post" open={held !== null}>
      <summary>{m.xtask_proof_title()}</summary>
      <form
        className="form-stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (post && held && online && !prove.isPending) prove.mutate();
        }}
      >
        <p className="text-small text-muted">{m.xtask_proof_line()}</p>
        {held && <CodeShown held={held} user={user} />}
        <div className="actions">
          <Button kind="edge" busy={take.isPending} disabledReason={offline} onClick={() => take.mutate()}>
            {held ? m.xtask_proof_again() : m.xtask_proof_take()}
          </Button>
        </div>
        {held && (
          <>
            <Field
              label={m.xtask_link()}
              inputMode="url"
              value={url}
              maxLength={X_PASTE_MAX}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://x.com/you/status/1234567890"
              error={tried && url !== '' ? postLinkProblem(url) : null}
              onValue={setUrl}
            />
            <div className="actions">
              <Button
                type="submit"
                icon="link"
                busy={prove.isPending}
                disabledReason={offline ?? (url.trim() === '' ? m.xtask_link_first() : null)}
              >
                {m.xtask_proof_send()}
              </Button>
            </div>
          </>
        )}
        {error !== null && <Quote lead={m.member_not_done()}>{errorText(error)}</Quote>}
      </form>
    </details>
  );
}

function CodeShown({ held, user }: { held: Code; user: User }) {
  const online = useOnline();
  const { data } = useQuery(read('GET /api/x/intents'));
  const text = m.xtask_proof_text({ product: product.name, name: user.displayName, code: held.code });
  const copy = async () => {
    if (await copyText(text)) toast({ icon: 'check', title: m.xtask_proof_copied() });
    else toast({ icon: 'warning', title: m.xtask_proof_copy_by_hand() });
  };
  const isOver = Date.parse(held.expiresAt) <= Date.now();
  return (
    <>
      <p className="proof-post__text">{text}</p>
      <p className="text-small text-muted">
        {isOver ? m.xtask_proof_over() : m.xtask_proof_until({ time: timeOfDay(held.expiresAt) })}
      </p>
      {!isOver && (
        <div className="actions">
          {data && online && (
            <a
              className="button button--edge"
              href={`${data.post}?text=${encodeURIComponent(text)}`}
              target="_blank"
              rel="noopener noreferrer"
            >
              <Icon name="link" />
              {m.xtask_proof_open()}
            </a>
          )}
          <Button kind="words" icon="copy" onClick={() => void copy()}>
            {m.xtask_proof_copy()}
          </Button>
        </div>
      )}
    </>
  );
}
