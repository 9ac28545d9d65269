import { useState } from 'react';
import type { Encoding } from '../../../../server/contract/import-limits.ts';
import { QUIZ_PACK_BYTES } from '../../../../server/contract/limits.ts';
import type { QuizPack, QuizQuestion } from '../../../../server/contract/quiz.ts';
import { type Letters, lettersOf, textIn } from '../../../../server/rules/letters.ts';
import { number } from '../../../lib/format.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { m } from '../../../paraglide/messages.js';
import { readCsv, writeCsv } from '../../../shared/quiz/formats/csv.ts';
import { readGift, writeGift } from '../../../shared/quiz/formats/gift.ts';
import { type PackWords, readJson, writeJson } from '../../../shared/quiz/formats/json.ts';
import {
  type FormatProblem,
  type Imported,
  kebab,
  type LeftOut,
  lostLetters,
} from '../../../shared/quiz/formats/shape.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextArea } from '../../../ui/field.tsx';
import { LettersPicker } from '../imports/letters-picker.tsx';
import { type PackDraft, tidy } from './quiz-pack-draft.ts';

const FORMATS = ['json', 'csv', 'gift'] as const;
type Format = (typeof FORMATS)[number];
const FORMAT_WORDS: Record<Format, string> = { json: 'JSON', csv: 'CSV', gift: 'GIFT (Moodle)' };
const FILES: Record<Format, { end: string; type: string }> = {
  json: { end: 'json', type: 'application/json' },
  csv: { end: 'csv', type: 'text/csv' },
  gift: { end: 'gift.txt', type: 'text/plain' },
};

const PROBLEM_WORDS: Record<FormatProblem, () => string> = {
  'no text': m.quiz_problem_no_text,
  'too few answers': m.quiz_problem_too_few,
  'too many answers': m.quiz_problem_too_many,
  'an answer without words': m.quiz_problem_empty,
  'two answers that read the same': m.quiz_problem_same,
  'two answers with the same id': m.quiz_problem_same_id,
  'no right answer': m.quiz_problem_no_right,
  'more than one right answer': m.quiz_problem_more_right,
  'a right answer that is not among the answers': m.quiz_problem_unknown_right,
  'an order that does not name each item once': m.quiz_problem_order,
  'a left side without its right side': m.quiz_problem_pair,
  'not a number': m.quiz_problem_number,
  'a tolerance below zero': m.quiz_problem_tolerance,
  'too long': m.quiz_problem_long,
  'a source that is no https link': m.quiz_problem_source,
  'an unknown kind': m.quiz_problem_kind,
  'an essay': m.quiz_problem_essay,
  'words to be typed': m.quiz_problem_typed,
  'a question without an empty line before it': m.quiz_problem_apart,
  'not this format': m.quiz_problem_format,
  'a column that is missing': m.quiz_problem_column,
  'a quotation that does not end': m.quiz_problem_quote,
  'braces that do not close': m.quiz_problem_braces,
  'answers without braces': m.quiz_problem_no_braces,
  'too many questions': m.quiz_problem_many,
  'no questions': m.quiz_problem_none,
};
/** A question's or file's problem as a sentence. */
export const problemWord = (problem: FormatProblem): string => PROBLEM_WORDS[problem]();

const LEFT_OUT_WORDS: Record<LeftOut, () => string> = {
  'a category': m.quiz_left_out_category,
  'a column or field that is not read': m.quiz_left_out_field,
  'a mark behind the answers': m.quiz_left_out_mark,
  'credit for a part': m.quiz_left_out_credit,
  'feedback to answers': m.quiz_left_out_feedback,
  formatting: m.quiz_left_out_formatting,
  'letters that cannot be read': m.quiz_left_out_letters,
};

const READERS: Record<Format, (text: string) => Imported & { words?: Partial<PackWords> }> = {
  json: readJson,
  csv: readCsv,
  gift: readGift,
};
const LINES_SHOWN = 20;

/** Imports questions from a file or pasted text, lists problems by line, and adds the valid ones. */
export function ImportQuestions(props: { onImport: (questions: QuizQuestion[], words: Partial<PackWords>) => void }) {
  const [format, setFormat] = useState<Format>('json');
  const [text, setText] = useState('');
  const [tooLarge, setTooLarge] = useState(false);
  /** The file, while its encoding can still be changed. */
  const [file, setFile] = useState<{ bytes: Uint8Array; letters: Letters } | null>(null);
  const found = text.trim() === '' ? null : READERS[format](text);
  const readAs = (bytes: Uint8Array, letters: Letters, read: Encoding | null) => {
    setFile({ bytes, letters: { ...letters, read } });
    setText(read === null ? '' : textIn(bytes, read));
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return;
    setTooLarge(chosen.size > QUIZ_PACK_BYTES);
    if (chosen.size > QUIZ_PACK_BYTES) return;
    const end = chosen.name.toLowerCase();
    setFormat(end.endsWith('.csv') ? 'csv' : end.endsWith('.json') ? 'json' : 'gift');
    const bytes = new Uint8Array(await chosen.arrayBuffer());
    const letters = lettersOf(bytes);
    readAs(bytes, letters, letters.read);
  };
  return (
    <div className="form-stack">
      <label className="field">
        <span>{m.quiz_import_file()}</span>
        <input
          type="file"
          className="field__input"
          accept=".json,.csv,.txt,.gift"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </label>
      {tooLarge && <p role="alert">{m.quiz_import_large()}</p>}
      {file && (
        <LettersPicker letters={file.letters} onPick={(encoding) => readAs(file.bytes, file.letters, encoding)} />
      )}
      <Select
        label={m.quiz_import_format()}
        options={FORMATS.map((value) => ({ value, label: FORMAT_WORDS[value] }))}
        value={format}
        onValue={setFormat}
      />
      <TextArea
        label={m.quiz_import_text()}
        rows={5}
        className="monospace"
        spellCheck={false}
        value={text}
        onValue={(value) => {
          setText(value);
          setFile(null);
        }}
      />
      {found && (
        <div role="status" className="stack">
          <p>{m.quiz_import_found({ count: found.questions.length, n: number(found.questions.length) })}</p>
          <Lines
            lines={found.problems.map(({ line, problem, what }) => ({
              words: m.quiz_import_problem({ line: number(line), problem: problemWord(problem) }),
              what,
            }))}
          />
          <Lines
            lines={[...lostLetters(text), ...found.leftOut].map(({ line, part, what }) => ({
              words: m.quiz_left_out({ line: number(line), part: LEFT_OUT_WORDS[part]() }),
              what,
            }))}
          />
        </div>
      )}
      <div className="actions">
        <Button
          kind="edge"
          icon="plus"
          disabledReason={found === null || found.questions.length === 0 ? m.quiz_import_nothing() : null}
          onClick={() => {
            if (!found) return;
            props.onImport(found.questions, found.words ?? {});
            setText('');
            setFile(null);
          }}
        >
          {m.quiz_import_add()}
        </Button>
      </div>
    </div>
  );
}

/** The first messages about lines of a file. */
function Lines({ lines }: { lines: readonly { words: string; what: string | undefined }[] }) {
  if (lines.length === 0) return null;
  return (
    <ul className="ruled-list">
      {lines.slice(0, LINES_SHOWN).map(({ words, what }) => (
        <li key={`${words} ${what ?? ''}`} className="text-small break-anywhere">
          {words}
          {what && <span className="text-muted"> {m.member_in_quotes({ words: what })}</span>}
        </li>
      ))}
      {lines.length > LINES_SHOWN && (
        <li className="text-small text-muted">{m.quiz_import_more({ n: number(lines.length - LINES_SHOWN) })}</li>
      )}
    </ul>
  );
}

/** The pack as a file in each format, made on this device. */
export function ExportPack({ pack }: { pack: PackDraft }) {
  const id = kebab(pack.title) || 'pack';
  const whole: QuizPack = { id, ...tidy(pack) };
  const text: Record<Format, () => string> = {
    json: () => writeJson(whole),
    csv: () => writeCsv(whole.questions),
    gift: () => writeGift(whole.questions),
  };
  return (
    <div className="actions">
      {FORMATS.map((format) => (
        <Button
          key={format}
          kind="edge"
          icon="export"
          onClick={() =>
            saveFile(new Blob([text[format]()], { type: FILES[format].type }), `${id}.${FILES[format].end}`)
          }
        >
          {m.quiz_export_as({ format: FORMAT_WORDS[format] })}
        </Button>
      ))}
    </div>
  );
}
