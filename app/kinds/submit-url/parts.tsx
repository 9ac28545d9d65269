import { useState } from 'react';
import { LINK_MAX } from '../../../server/contract/limits.ts';
import { listing } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { AnswerForm, evidenceBefore, type FormProps, NoteField, useAnswer } from '../../shared/answers/answer-form.tsx';
import { noteOf, useStoredText } from '../../shared/tasks/draft.ts';
import { fieldProblem } from '../../shared/tasks/field-problem.ts';
import { Field } from '../../ui/field.tsx';
import type { AskOf, MemberParts } from '../kind.ts';

export const submitUrlParts: MemberParts<'submit_url'> = { Form: UrlForm };

/** The member's own link, with a note. The form explains an invalid one. */
function UrlForm({ ask, ...props }: FormProps & { ask: AskOf<'submit_url'> }) {
  const { task } = props.view;
  const { form, send } = useAnswer(props);
  const [refused, setRefused] = useState(() => fieldProblem(props.view.entry));
  const before = evidenceBefore(props.view);
  const sent = before?.kind === 'submit_url' ? before : null;
  const [url, setUrl] = useStoredText(task.id, sent?.url);
  const [note, setNote] = useStoredText(noteOf(task.id), sent?.note);
  const [tried, setTried] = useState(false);
  const problem = linkProblem(url.trim(), ask.hosts);
  const hosts = listing(ask.hosts, 'disjunction');
  const words =
    problem === 'host' ? m.member_url_other({ host: new URL(url.trim()).hostname, hosts }) : m.member_url_bad();
  return (
    <AnswerForm
      {...form}
      missing={url.trim() === '' ? m.member_url_first() : null}
      onSend={() => {
        setTried(true);
        if (problem === null)
          void send({ kind: 'submit_url', url: url.trim(), ...(note.trim() && { note: note.trim() }) });
      }}
    >
      <Field
        type="url"
        inputMode="url"
        label={m.member_url_label()}
        hint={ask.hosts.length > 0 ? m.member_url_host({ hosts }) : m.member_url_hint()}
        error={tried && problem !== null ? words : refused}
        value={url}
        maxLength={LINK_MAX}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        onValue={(value) => {
          setUrl(value);
          setRefused(null);
        }}
      />
      <NoteField value={note} onValue={setNote} />
    </AnswerForm>
  );
}

/** Why a link cannot be used, as far as the device can tell; the server decides. */
export function linkProblem(text: string, hosts: readonly string[]): 'link' | 'host' | null {
  if (!URL.canParse(text)) return 'link';
  const { protocol, hostname, username, password } = new URL(text);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || username !== '' || password !== '' || !hostname.includes('.')) return 'link';
  const isAt = (host: string) => hostname === host || hostname.endsWith(`.${host}`);
  return hosts.length === 0 || hosts.some(isAt) ? null : 'host';
}
