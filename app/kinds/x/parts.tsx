import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OutputOf } from '../../../server/contract/routes.ts';
import { postIdOf, postIn, X_PASTE_MAX, type XKind } from '../../../server/contract/x-post.ts';
import { timeNow } from '../../lib/clock.ts';
import { useOnline } from '../../lib/online.ts';
import { postLinkProblem } from '../../lib/post-link.ts';
import { read } from '../../lib/query.ts';
import { dropXIntent, storeXIntent } from '../../lib/x-intent.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { AskOf, EvidenceOf } from '../kind.ts';

type PostKind = 'x_reply' | 'x_quote' | 'x_post';
type ActionKind = Exclude<XKind, PostKind>;
type Ask = AskOf<XKind>;

/** Shared by three kinds each: `member` checks that each may have them. */
export const xActionParts = {
  Form: XActForm,
  Sent: ({ evidence }: { evidence: EvidenceOf<ActionKind> }) => (
    <p>{m.xtask_sent({ when: whenWord(evidence.doneAt) })}</p>
  ),
};
export const xPostParts = { Form: XPostForm };

type Intents = OutputOf<'GET /api/x/intents'>;

/** X's own addresses, until the server names others, as in the sandbox. */
const AT_X: Intents = {
  post: 'https://x.com/intent/post',
  follow: 'https://x.com/intent/follow',
  like: 'https://x.com/intent/like',
  repost: 'https://x.com/intent/retweet',
};

/** The page on X for a task's action (developer.x.com, web intents). */
export function intentOf(ask: Ask, at: Intents): string {
  const to = (base: string, query: Record<string, string>) => `${base}?${new URLSearchParams(query)}`;
  switch (ask.kind) {
    case 'x_follow':
      return to(at.follow, { screen_name: ask.handle });
    case 'x_like':
      return to(at.like, { tweet_id: postIdOf(ask.post) });
    case 'x_repost':
      return to(at.repost, { tweet_id: postIdOf(ask.post) });
    case 'x_reply':
      return to(at.post, { in_reply_to: postIdOf(ask.post) });
    case 'x_quote':
      return to(at.post, { url: ask.post });
    case 'x_post': {
      const tag = ask.hashtag === '' || ask.text.includes(`#${ask.hashtag}`) ? '' : `#${ask.hashtag}`;
      return to(at.post, { text: [ask.text, tag].filter(Boolean).join(' ') });
    }
  }
}

function actionWords(ask: Ask): string {
  switch (ask.kind) {
    case 'x_follow':
      return m.xtask_do_follow({ handle: ask.handle });
    case 'x_like':
      return m.xtask_do_like();
    case 'x_repost':
      return m.xtask_do_repost();
    case 'x_reply':
      return m.xtask_do_reply();
    case 'x_quote':
      return m.xtask_do_quote();
    case 'x_post':
      return m.xtask_do_post();
  }
}

/** What to do on X, with a link. */
function AtX({ ask, isDone, onOpen, ...props }: FormProps & { ask: Ask; isDone: boolean; onOpen: () => void }) {
  const online = useOnline();
  const { data = AT_X } = useQuery(read('GET /api/x/intents'));
  const { communityId } = props;
  const { id: taskId, title } = props.view.task;
  return (
    <>
      {'about' in ask && ask.about !== '' && <p className="written-text">{m.xtask_about({ about: ask.about })}</p>}
      {ask.kind === 'x_post' && ask.hashtag !== '' && <p>{m.xtask_hashtag({ hashtag: ask.hashtag })}</p>}
      <div className="actions">
        {online ? (
          <a
            className={isDone ? 'button button--edge' : 'button'}
            href={intentOf(ask, data)}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => {
              storeXIntent({ communityId, taskId, title });
              onOpen();
            }}
          >
            <Icon name="link" />
            {actionWords(ask)}
          </a>
        ) : (
          <Button kind="edge" icon="link" disabledReason={m.xtask_offline()}>
            {actionWords(ask)}
          </Button>
        )}
      </div>
    </>
  );
}

/** A follow, a like or a repost: the member reports it, and X or a reviewer checks. */
function XActForm({ ask, ...props }: FormProps & { ask: AskOf<ActionKind> }) {
  const { form, send } = useAnswer(props);
  const [opened, setOpened] = useStoredText(props.view.task.id, null);
  return (
    <AnswerForm
      {...form}
      missing={null}
      onSend={() => {
        dropXIntent();
        void send({ kind: ask.kind, doneAt: new Date(timeNow()).toISOString() });
      }}
      icon="check"
      label={m.xtask_did_it()}
    >
      <p className="text-small text-muted">{m.xtask_did_line()}</p>
      <AtX {...props} ask={ask} isDone={opened !== ''} onOpen={() => setOpened('opened')} />
      <p className="text-small text-muted">{m.xtask_did_checked()}</p>
    </AnswerForm>
  );
}

/** A reply, a quote or a post: its link names the author. */
function XPostForm({ ask, ...props }: FormProps & { ask: AskOf<PostKind> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const before = evidenceBefore(props.view);
  const [url, setUrl] = useStoredText(task.id, before && 'url' in before ? before.url : null);
  const [refused, setRefused] = useState(() => fieldProblem(props.view.entry));
  const [tried, setTried] = useState(false);
  const [opened, setOpened] = useState(url !== '');
  const post = postIn(url);
  return (
    <AnswerForm
      {...form}
      missing={url.trim() === '' ? m.xtask_link_first() : null}
      onSend={() => {
        setTried(true);
        if (!post) return;
        dropXIntent();
        void send({ kind: ask.kind, url: post.url });
      }}
    >
      <AtX {...props} ask={ask} isDone={opened} onOpen={() => setOpened(true)} />
      <Field
        inputMode="url"
        label={m.xtask_link()}
        hint={m.xtask_link_hint()}
        error={(tried ? postLinkProblem(url) : null) ?? refused}
        value={url}
        maxLength={X_PASTE_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onValue={(value) => {
          setUrl(value);
          setRefused(null);
        }}
      />
    </AnswerForm>
  );
}
