import type { MemberParts } from '../kind.ts';
import { SentFile } from './sent-file.tsx';
import '../submit-image/parts.css';
import { useId, useRef, useState } from 'react';
import { FILE_BYTES } from '../../../server/contract/limits.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, NoteField, useAnswer } from '../../shared/answers/answer-form.tsx';
import { type ChosenFile, chooseFile } from '../../shared/answers/chosen-file.ts';
import { useStoredText } from '../../shared/tasks/draft.ts';
import { Icon } from '../../ui/icon.tsx';

export const fileParts: MemberParts<'file'> = { Form: FileForm, Sent: SentFile };

const KILO = 1_024;

/** A PDF or plain text file with a note. The content is checked before it is sent. */
function FileForm(props: FormProps) {
  const { task, claim } = props.view;
  const { form, send } = useAnswer(props);
  const before = evidenceBefore(props.view);
  const [note, setNote] = useStoredText(task.id, before?.kind === 'file' ? before.note : null);
  const [chosen, setChosen] = useState<ChosenFile | null>(null);
  const latest = useRef(0);
  const id = useId();
  async function take(file: File | undefined): Promise<void> {
    if (!file) return;
    latest.current += 1;
    const own = latest.current;
    const looked = await chooseFile(file).catch((): ChosenFile => ({ kind: 'unreadable', name: file.name }));
    if (own === latest.current) setChosen(looked);
  }
  const ready = chosen?.kind === 'ready' ? chosen : null;
  // An uploaded file need not be sent again: often only the note was missing.
  const sent = claim?.evidence?.kind === 'file' && chosen === null ? claim.evidence : null;
  return (
    <AnswerForm
      {...form}
      missing={ready === null && sent === null ? m.kinds_file_first() : null}
      onSend={() => {
        const named = sent ?? { fileId: crypto.randomUUID(), name: ready?.name ?? '' };
        const evidence = { kind: 'file', fileId: named.fileId, name: named.name } as const;
        void send({ ...evidence, ...(note.trim() && { note: note.trim() }) }, ready?.bytes ?? null);
      }}
    >
      <div className={chosen !== null && ready === null ? 'field field--wrong' : 'field'}>
        <input
          id={id}
          className="visually-hidden picture-choice__input"
          type="file"
          accept=".pdf,.txt,.md,.csv,application/pdf,text/plain"
          aria-describedby={`${id}-hint`}
          onChange={(event) => void take(event.currentTarget.files?.[0])}
        />
        <label
          htmlFor={id}
          className={ready === null && sent === null ? 'picture-choice' : 'picture-choice picture-choice--again'}
        >
          <Icon name="text" size={24} />
          <span>{ready === null && sent === null ? m.kinds_file_choose() : m.kinds_file_again()}</span>
        </label>
        <span className="field__hint break-anywhere" id={`${id}-hint`} role="status">
          {hintOf(chosen, sent?.name ?? null)}
        </span>
      </div>
      <NoteField value={note} onValue={setNote} />
    </AnswerForm>
  );
}

function hintOf(chosen: ChosenFile | null, sent: string | null): string {
  const size = number(FILE_BYTES / KILO);
  if (chosen === null) return sent === null ? m.kinds_file_hint({ size }) : m.kinds_file_kept({ name: sent });
  const { name } = chosen;
  if (chosen.kind === 'ready') return m.kinds_file_ready({ name, size: number(Math.ceil(chosen.bytes.size / KILO)) });
  return chosen.kind === 'too_large' ? m.kinds_file_too_large({ name, size }) : m.kinds_file_unreadable({ name });
}
