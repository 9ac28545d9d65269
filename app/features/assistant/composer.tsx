import './composer.css';
import { type ReactNode, useId, useRef, useState } from 'react';
import { ASSISTANT_QUESTION_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** The question field. Enter sends; while an answer streams, the button stops it. */
export function Composer(props: {
  isWriting: boolean;
  note: ReactNode;
  onAsk: (question: string) => void;
  onStop?: () => void;
  /** Starts a new conversation. */
  onNew?: () => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const question = text.trim();
  function send() {
    if (question === '' || props.isWriting) return;
    props.onAsk(question);
    setText('');
    field.current?.focus();
  }
  return (
    <div className="composer">
      <form
        className="composer__row"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <label className="visually-hidden" htmlFor={id}>
          {m.assistant_question()}
        </label>
        <textarea
          id={id}
          ref={field}
          className="field__input"
          rows={1}
          maxLength={ASSISTANT_QUESTION_MAX}
          placeholder={m.assistant_placeholder()}
          value={text}
          aria-describedby={`${id}-note`}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            send();
          }}
        />
        {props.isWriting ? (
          <button
            type="button"
            className="button button--edge composer__send"
            aria-label={m.assistant_stop()}
            onClick={props.onStop}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button type="submit" className="button composer__send" aria-label={m.assistant_send()}>
            <Icon name="send" />
          </button>
        )}
      </form>
      <div className="composer__foot">
        <p id={`${id}-note`}>{props.note}</p>
        {props.onNew && !props.isWriting && (
          <Button
            kind="words"
            onClick={() => {
              props.onNew?.();
              field.current?.focus();
            }}
          >
            {m.assistant_new()}
          </Button>
        )}
      </div>
    </div>
  );
}
