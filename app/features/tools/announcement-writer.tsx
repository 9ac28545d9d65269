import './tools.css';
import { type KeyboardEvent, useMemo, useRef } from 'react';
import { flushSync } from 'react-dom';
import { ANNOUNCEMENT_BODY_MAX, ANNOUNCEMENT_TITLE_MAX } from '../../../server/contract/limits.ts';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { announcementDraft } from '../../shared/drafts/draft-names.ts';
import { BoardPanel } from '../../ui/board.tsx';
import { Button } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { TextArea } from '../../ui/field.tsx';
import { Hatch } from '../../ui/icon.tsx';
import { Segment } from '../../ui/segment.tsx';
import { CopyButton, StoredNote } from './parts.tsx';
import {
  MARKS,
  type Mark,
  partsOfTelegram,
  plainOf,
  plainWithLinks,
  TELEGRAM_LIMITS,
  type TelegramKind,
  type TelegramPart,
  telegramHtml,
  telegramLength,
  withSigns,
} from './telegram-text.ts';
import { UseInCommunity } from './use-in-community.tsx';

const BLANK = { text: '', kind: 'message' as TelegramKind };
const MARK_WORDS: Record<Mark, () => string> = {
  bold: m.tools_tg_bold,
  italic: m.tools_tg_italic,
  code: m.tools_tg_code,
  link: m.tools_tg_link,
};
/** With Ctrl or Cmd, as in Telegram's apps; code has E, because M minimises a window there. */
const KEYS: Record<string, Mark> = { b: 'bold', i: 'italic', e: 'code', k: 'link' };
const keyOf = (mark: Mark): string => Object.keys(KEYS).find((key) => KEYS[key] === mark) ?? '';

/** Writes an announcement for Telegram: its length, a preview, and its HTML. */
export function AnnouncementWriter() {
  const { draft, change, drop } = useDraft('tool:announcement', BLANK);
  const parts = useMemo(() => partsOfTelegram(draft.text), [draft.text]);
  const limit = TELEGRAM_LIMITS[draft.kind];
  const length = telegramLength(parts);
  return (
    <div className="tool-columns">
      <Card className="form-stack">
        <Written text={draft.text} onText={(text) => change({ text })} />
        <Segment
          label={m.tools_tg_kind()}
          options={[
            { value: 'message', label: m.tools_tg_message() },
            { value: 'caption', label: m.tools_tg_caption() },
          ]}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
        />
        <StoredNote isEmpty={draft.text === ''} onClear={drop} />
      </Card>
      <div className="stack-medium">
        <Length length={length} limit={limit} html={telegramHtml(parts)} />
        <section>
          <SectionHead title={m.tools_tg_preview()} end={length > 0 && <CopyWords parts={parts} />} />
          <Card>
            {length === 0 ? (
              <p className="text-small text-muted">{m.tools_tg_preview_none()}</p>
            ) : (
              <p className="tool-words" dir="auto">
                <Shown parts={parts} />
              </p>
            )}
          </Card>
        </section>
        <UseInCommunity
          button={m.tools_use_announce()}
          icon="announce"
          line={`${m.tools_use_announce_line()} ${m.tools_use_announce_marks()}`}
          draftName={announcementDraft}
          room="announcements"
          draft={() => announcementOf(parts)}
          disabledReason={unusable(parts)}
          replaceLine={m.tools_use_replace_announce}
        />
      </div>
    </div>
  );
}

/** The field, and buttons that put marks around its selection. */
function Written({ text, onText }: { text: string; onText: (text: string) => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const mark = (kind: Mark) => {
    const area = field.current;
    if (!area) return;
    const next = withSigns({ text, start: area.selectionStart, end: area.selectionEnd }, kind);
    flushSync(() => onText(next.text));
    area.focus();
    area.setSelectionRange(next.start, next.end);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const kind = KEYS[event.key.toLowerCase()];
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || !kind) return;
    event.preventDefault();
    mark(kind);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset draws its own box and cannot be a flex row everywhere */}
      <div className="tool-marks" role="group" aria-label={m.tools_tg_marks()}>
        {MARKS.map((kind) => (
          <Button
            key={kind}
            kind="edge"
            aria-keyshortcuts={`Control+${keyOf(kind).toUpperCase()}`}
            onClick={() => mark(kind)}
          >
            {MARK_WORDS[kind]()}
          </Button>
        ))}
      </div>
      <TextArea
        ref={field}
        label={m.tools_tg_text()}
        hint={m.tools_tg_hint()}
        rows={9}
        value={text}
        onValue={onText}
        onKeyDown={onKeyDown}
      />
    </>
  );
}

function Length({ length, limit, html }: { length: number; limit: number; html: string }) {
  const left = limit - length;
  const isOver = left < 0;
  const words = isOver
    ? m.tools_tg_over({ count: -left, n: number(-left) })
    : m.tools_tg_left({ count: left, n: number(left) });
  return (
    <div className="tool-result">
      <BoardPanel
        label={m.tools_tg_region()}
        heading={m.tools_tg_length()}
        value={number(length)}
        note={m.tools_tg_of({ limit: number(limit) })}
      >
        <Hatch done={length / limit} label={words} />
        <p className="text-small" {...(isOver && { role: 'alert' })}>
          {isOver ? `${words}. ${m.tools_tg_over_line()}` : words}
        </p>
        {length > 0 && (
          <>
            <div className="actions">
              <CopyButton text={html} kind="cross">
                {m.tools_tg_copy_html()}
              </CopyButton>
            </div>
            <p className="text-tiny">{m.tools_tg_copy_html_line()}</p>
          </>
        )}
      </BoardPanel>
    </div>
  );
}

const CopyWords = ({ parts }: { parts: readonly TelegramPart[] }) => (
  <CopyButton text={plainOf(parts).trim()} kind="words">
    {m.tools_tg_copy_plain()}
  </CopyButton>
);

function Shown({ parts }: { parts: readonly TelegramPart[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: parts are identified by their index
  return parts.map((part, at) => <ShownPart key={at} part={part} />);
}

function ShownPart({ part }: { part: TelegramPart }) {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'code':
      return <code>{part.text}</code>;
    case 'bold':
      return (
        <b>
          <Shown parts={part.parts} />
        </b>
      );
    case 'italic':
      return (
        <i>
          <Shown parts={part.parts} />
        </i>
      );
    case 'link':
      return (
        <a className="text-link" href={part.url} target="_blank" rel="noopener noreferrer nofollow">
          <Shown parts={part.parts} />
        </a>
      );
  }
}

/** A short enough first line becomes the title, the rest the body. */
function announcementOf(parts: readonly TelegramPart[]): { title: string; body: string; pinnedUntil: string } {
  const words = plainWithLinks(parts).trim();
  const [first = '', ...rest] = words.split('\n');
  const body = rest.join('\n').trim();
  return first.trim().length <= ANNOUNCEMENT_TITLE_MAX && body !== ''
    ? { title: first.trim(), body, pinnedUntil: '' }
    : { title: '', body: words, pinnedUntil: '' };
}

function unusable(parts: readonly TelegramPart[]): string | null {
  const { body } = announcementOf(parts);
  if (body === '') return m.tools_use_empty();
  return body.length > ANNOUNCEMENT_BODY_MAX ? m.tools_use_long({ limit: number(ANNOUNCEMENT_BODY_MAX) }) : null;
}
