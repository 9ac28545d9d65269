import { useDeferredValue, useMemo } from 'react';
import { useDraft } from '../../lib/drafts.ts';
import { number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Card } from '../../ui/card.tsx';
import { Select, TextArea } from '../../ui/field.tsx';
import { Segment } from '../../ui/segment.tsx';
import { answersIn, type Pasted, tableRows, wordiestColumn } from './answer-lines.ts';
import { StoredNote } from './parts.tsx';

/** `column` null: the one with the most words. */
const BLANK = { text: '', pasted: 'lines' as Pasted, column: null as number | null };

/** Answers pasted into a tool, stored as its draft; `answers` are parsed when the browser has time. */
export function useAnswers(draftName: string) {
  const stored = useDraft(draftName, BLANK);
  const { text, pasted, column } = stored.draft;
  const settled = useDeferredValue(text);
  const rows = useMemo(() => (pasted === 'table' ? tableRows(settled) : []), [settled, pasted]);
  const chosen = column ?? wordiestColumn(rows);
  const answers = useMemo(() => answersIn(settled, pasted, chosen), [settled, pasted, chosen]);
  return { ...stored, rows, chosen, answers };
}

export function PasteAnswers(props: { given: ReturnType<typeof useAnswers>; asksModel?: boolean }) {
  const { given, asksModel = false } = props;
  const { draft, change, drop, rows, chosen, answers } = given;
  const [head = []] = rows;
  return (
    <Card className="form-stack">
      <Segment
        label={m.tools_answers_as()}
        options={[
          { value: 'lines', label: m.tools_answers_lines() },
          { value: 'table', label: m.tools_answers_table() },
        ]}
        value={draft.pasted}
        onChange={(pasted) => change({ pasted })}
      />
      <TextArea
        label={m.tools_answers()}
        hint={draft.pasted === 'table' ? m.tools_answers_hint_table() : m.tools_answers_hint_lines()}
        rows={10}
        value={draft.text}
        onValue={(text) => change({ text, column: null })}
      />
      {head.length > 1 && (
        <Select
          label={m.tools_answers_column()}
          options={head.map((name, at) => ({
            value: String(at),
            label: name.trim() || m.tools_answers_column_n({ n: number(at + 1) }),
          }))}
          value={String(chosen)}
          onValue={(at) => change({ column: Number(at) })}
        />
      )}
      <p className="text-small text-muted" aria-live="polite">
        {m.tools_answers_count({ count: answers.length, n: number(answers.length) })}
      </p>
      <StoredNote asksModel={asksModel} isEmpty={draft.text === ''} onClear={drop} />
    </Card>
  );
}
