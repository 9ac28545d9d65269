import { useCallback, useState } from 'react';
import { EVENT_CODE_MAX } from '../../../server/contract/limits.ts';
import { plainTyped, verifyQr } from '../../../server/rules/event-code.ts';
import { rangeWord } from '../../lib/range-word.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceRefused, type FormProps, useAnswer } from '../../shared/answers/answer-form.tsx';
import { Scanner } from '../../shared/answers/scanner.tsx';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const telegramEventParts: MemberParts<'telegram_event'> = {
  Form: EventForm,
  Sent: () => <p>{m.member_sent_code()}</p>,
};

/** Attendance at an event: the steward's code, scanned or typed. Both work offline. */
function EventForm({ ask, ...props }: FormProps & { ask: AskOf<'telegram_event'> }) {
  const { task } = props.view;
  const { form, send, result, forget } = useAnswer(props, true);
  const before = evidenceRefused(props.view);
  const [typed, setTyped] = useState(() =>
    before?.kind === 'telegram_event' && plainTyped(before.code) !== null ? before.code : '',
  );
  const [problem, setProblem] = useState<string | null>(() => fieldProblem(props.view.entry));
  const [scanning, setScanning] = useState(false);
  const claim = (code: string) => {
    setProblem(null);
    void send({ kind: 'telegram_event', code });
  };
  const onScanned = (code: string) => {
    // Stops the camera. If the code could not be stored, it can be scanned again.
    setScanning(false);
    claim(code);
  };
  const onCode = useCallback(
    async (text: string): Promise<boolean> => {
      // The server verifies what a browser cannot.
      const step = await verifyQr(ask.publicKey, task.id, text).catch(() => 0);
      setProblem(step === null ? m.member_event_other() : null);
      return step !== null;
    },
    [ask.publicKey, task.id],
  );
  return (
    <AnswerForm
      {...form}
      missing={typed.trim() === '' ? m.member_event_first() : null}
      onSend={() => {
        if (plainTyped(typed) === null) setProblem(m.member_event_bad());
        else claim(typed.trim());
      }}
      label={m.member_event_send()}
      problem={result.failed && (result.failed.reason ?? m.member_checked())}
    >
      <p className="flex-row text-small text-muted">
        <Icon name="pin" />
        <span>
          {m.member_event_place({
            place: ask.place || m.member_event_no_place(),
            when: rangeWord(ask.startsAt, ask.endsAt),
          })}
        </span>
      </p>
      {scanning ? (
        <Scanner isWanted={onCode} onCode={onScanned} onStop={() => setScanning(false)} />
      ) : (
        <div className="actions">
          <Button icon="code" onClick={() => setScanning(true)}>
            {m.member_scan()}
          </Button>
        </div>
      )}
      <Field
        label={m.member_event_code()}
        hint={m.member_event_code_hint()}
        error={problem ?? result.problem}
        value={typed}
        maxLength={EVENT_CODE_MAX}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        onValue={(value) => {
          setTyped(value);
          setProblem(null);
          forget();
        }}
      />
    </AnswerForm>
  );
}
