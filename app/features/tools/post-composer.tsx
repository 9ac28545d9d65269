import './tools.css';
import { useDeferredValue, useMemo } from 'react';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { BoardPanel } from '../../ui/board.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, Chip, SectionHead } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Hatch, Icon } from '../../ui/icon.tsx';
import { Segment } from '../../ui/segment.tsx';
import { CopyButton, StoredNote } from './parts.tsx';
import { threadOf } from './thread.ts';
import { intentUrl, isPost, partsOf, X_LONG_POST_MAX, X_POST_MAX, xLength } from './x-length.ts';

const BLANK = { text: '', length: 'usual' as 'usual' | 'long', numbered: true };
/** Servers and systems truncate longer addresses. */
const INTENT_MAX = 8_000;

/** Writes for X: the length, the resulting posts, and a copy button for each. */
export function PostComposer() {
  const { draft, change, drop } = useDraft('tool:post', BLANK);
  const limit = draft.length === 'long' ? X_LONG_POST_MAX : X_POST_MAX;
  const text = useDeferredValue(draft.text);
  const posts = useMemo(() => threadOf(text, { limit, numbered: draft.numbered }), [text, limit, draft.numbered]);
  return (
    <div className="tool-columns">
      <Card className="form-stack">
        <TextArea
          label={m.tools_post_text()}
          hint={m.tools_post_hint()}
          rows={8}
          value={draft.text}
          onValue={(written) => change({ text: written })}
        />
        <Segment
          label={m.tools_post_kind()}
          options={[
            { value: 'usual', label: m.tools_post_usual() },
            { value: 'long', label: m.tools_post_long() },
          ]}
          value={draft.length}
          onChange={(length) => change({ length })}
        />
        <label className="tick-line">
          <input
            type="checkbox"
            checked={draft.numbered}
            onChange={(event) => change({ numbered: event.currentTarget.checked })}
          />
          <span>
            {m.tools_post_numbered()}
            <span className="text-tiny text-muted"> {m.tools_post_numbered_line()}</span>
          </span>
        </label>
        <StoredNote isEmpty={draft.text === ''} onClear={drop} />
      </Card>
      <div className="stack-medium">
        <Result posts={posts} limit={limit} />
        {posts.length > 0 && <Posts posts={posts} limit={limit} />}
      </div>
    </div>
  );
}

function Result({ posts, limit }: { posts: readonly string[]; limit: number }) {
  const longest = Math.max(0, ...posts.map(xLength));
  const left = limit - longest;
  const several = posts.length > 1;
  const isRefused = posts.some((post) => !isPost(post, limit));
  return (
    <div className="tool-result">
      <BoardPanel
        label={m.tools_post_region()}
        heading={several ? m.tools_post_thread() : m.tools_post_one()}
        value={several ? m.tools_post_count({ count: posts.length, n: number(posts.length) }) : number(longest)}
        note={
          several
            ? m.tools_post_longest({ n: number(longest), limit: number(limit) })
            : m.tools_post_of({ limit: number(limit) })
        }
      >
        {!several && posts.length > 0 && (
          <Hatch done={longest / limit} label={m.tools_post_left({ count: left, n: number(left) })} />
        )}
        {posts.length === 0 && <p className="text-small">{m.tools_post_none()}</p>}
        {isRefused && <p role="alert">{m.tools_post_refused()}</p>}
        {posts.length > 0 && (
          <div className="actions">
            <CopyButton text={posts.join('\n\n')} kind="cross">
              {several ? m.tools_post_copy_all() : m.tools_post_copy_one()}
            </CopyButton>
          </div>
        )}
      </BoardPanel>
    </div>
  );
}

function Posts({ posts, limit }: { posts: readonly string[]; limit: number }) {
  const [first = ''] = posts;
  const intent = intentUrl(first);
  const words = posts.length > 1 ? m.tools_post_intent_first() : m.tools_post_intent();
  return (
    <section>
      <SectionHead title={m.tools_post_preview()} />
      <ol className="stack">
        {posts.map((post, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: posts are identified by their index
          <li key={at}>
            <Post text={post} at={at + 1} of={posts.length} limit={limit} />
          </li>
        ))}
      </ol>
      <div className="actions">
        {intent.length > INTENT_MAX ? (
          <Button kind="edge" icon="send" disabledReason={m.tools_post_intent_long()}>
            {words}
          </Button>
        ) : (
          <a className="button button--edge" href={intent} target="_blank" rel="noopener noreferrer">
            <Icon name="send" />
            {words}
          </a>
        )}
      </div>
      <p className="text-tiny text-muted">{m.tools_post_intent_line()}</p>
    </section>
  );
}

function Post({ text, at, of, limit }: { text: string; at: number; of: number; limit: number }) {
  const counts = { at: number(at), of: number(of) };
  return (
    <Card>
      <div className="tool-card-head">
        <h3 className="text-small">{m.tools_post_name(counts)}</h3>
        <Chip>{m.tools_post_length({ n: number(xLength(text)), limit: number(limit) })}</Chip>
        {of > 1 && (
          <CopyButton text={text} kind="words" label={m.tools_post_copy_named(counts)}>
            {m.tools_post_copy_one()}
          </CopyButton>
        )}
      </div>
      <PostWords text={text} />
    </Card>
  );
}

function PostWords({ text }: { text: string }) {
  const parts = useMemo(() => {
    let from = 0;
    return partsOf(text).map((part) => {
      const key = from;
      from += part.text.length;
      return { ...part, key };
    });
  }, [text]);
  return (
    <p className="tool-words" dir="auto">
      {parts.map((part) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <span key={part.key} className="tool-tag">
            {part.text}
          </span>
        ),
      )}
    </p>
  );
}
