import { useState } from 'react';
import { ANNOUNCEMENT_TITLE_MAX } from '../../../server/contract/limits.ts';
import { seenLength } from '../../../server/contract/seen-length.ts';
import { useDraft } from '../../lib/drafts.ts';
import { m } from '../../paraglide/messages.js';
import { Field, TextArea } from '../../ui/field.tsx';
import { number } from '../../ui/format.ts';

const TITLE_MIN = 3;

/** What somebody writes to many: a title, words and what else its form asks for, kept as a draft until it is on its way. */
export function useSaid<T extends { title: string; body: string }>(name: string, blank: T) {
  const { draft, change, drop } = useDraft(name, blank);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [title, body] = [draft.title.trim(), draft.body.trim()];
  return {
    draft,
    change,
    title,
    body,
    /** Whether what is missing is spoken of. */
    tried,
    onTry: () => setTried(true),
    isWhole: seenLength(title) >= TITLE_MIN && body !== '',
    busy,
    /** Keeps the act, once however often it is pressed. What was written stays where the device could not keep it. */
    async send(keep: () => Promise<string | null>): Promise<void> {
      setBusy(true);
      const kept = await keep();
      setBusy(false);
      if (kept === null) return;
      drop();
      setTried(false);
    },
  };
}

export function SaidFields(props: {
  said: Pick<
    ReturnType<typeof useSaid<{ title: string; body: string }>>,
    'draft' | 'change' | 'title' | 'body' | 'tried'
  >;
  longest: number;
  rows: number;
}) {
  const { draft, change, title, body, tried } = props.said;
  return (
    <>
      <Field
        label={m.leader_task_title()}
        value={draft.title}
        maxLength={ANNOUNCEMENT_TITLE_MAX}
        error={tried && seenLength(title) < TITLE_MIN ? m.leader_title_short({ n: number(TITLE_MIN) }) : null}
        onValue={(text) => change({ title: text })}
      />
      <TextArea
        label={m.leader_announce_body()}
        value={draft.body}
        maxLength={props.longest}
        rows={props.rows}
        error={tried && body === '' ? m.leader_announce_empty() : null}
        onValue={(text) => change({ body: text })}
      />
    </>
  );
}
