import './imports.css';
import { useMemo } from 'react';
import { IMPORT_LINES_FIRST } from '../../../../server/contract/import-limits.ts';
import type { Import, ImportCheck, ImportField } from '../../../../server/contract/imports.ts';
import { textIn } from '../../../../server/rules/letters.ts';
import { number } from '../../../lib/format.ts';
import { m } from '../../../paraglide/messages.js';
import { type Command, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ImportFindings } from './import-findings.tsx';
import { type ImportFile, rowsByLine } from './import-text.ts';
import { FIELDS, fieldWord, SOURCES } from './import-words.ts';
import { LettersPicker } from './letters-picker.tsx';

type Props = {
  file: ImportFile;
  check: ImportCheck;
  /** Another reading is loading; the previous one is shown. */
  isNew: boolean;
  /** Reads the file again, with other columns or choices. */
  onChange: (file: ImportFile) => void;
  run: Command<ImportFile, Import>;
};

/** What an import of the file would do: first the result, then its columns, then the findings. */
export function ImportPlan({ file, check, isNew, onChange, run }: Props) {
  const { bytes } = file;
  const { read } = check.letters;
  const rows = useMemo(() => rowsByLine(textIn(bytes, read ?? 'utf-8')), [bytes, read]);
  return (
    <>
      <LettersPicker letters={check.letters} onPick={(encoding) => onChange({ ...file, encoding })} />
      <Result file={file} check={check} isNew={isNew} run={run} />
      <div className="import-beside">
        <Columns file={file} check={check} onChange={onChange} />
        <ImportFindings file={file} check={check} rows={rows} onChange={onChange} />
      </div>
    </>
  );
}

function Result({ file, check, isNew, run }: Omit<Props, 'onChange'>) {
  const offline = useNeedsConnection();
  const isPeople = file.kind === 'people';
  const words = { count: check.ready, n: number(check.ready) };
  const { room } = check;
  const isTooMany = isPeople && room !== null && check.ready > room;
  return (
    <Card className="import-result" aria-busy={isNew}>
      <div className="import-figures" role="status">
        <p>
          <b>{number(check.ready)}</b>
          <span>{isPeople ? m.import_ready_people(words) : m.import_ready_tasks(words)}</span>
        </p>
        <p>
          <b className={check.leftOut > 0 ? 'import-figures__wrong' : undefined}>{number(check.leftOut)}</b>
          <span>{m.import_left_out()}</span>
        </p>
        {isPeople && (
          <p>
            <b>
              <span className="pencil">{number(check.points)}</span>
            </b>
            <span>{m.import_points()}</span>
          </p>
        )}
      </div>
      <div className="import-result__act">
        <Button
          busy={run.isPending || isNew}
          disabledReason={check.ready === 0 ? m.import_nothing() : isTooMany ? m.import_room_full() : offline}
          onClick={() => run.mutate(file)}
        >
          {isPeople ? m.import_run_people(words) : m.import_run_tasks(words)}
        </Button>
        <p className="text-tiny text-muted">{m.import_nothing_written()}</p>
        {isPeople && room !== null && (
          <p className="text-small">{m.import_room({ limit: number(IMPORT_LINES_FIRST), n: number(room) })}</p>
        )}
      </div>
    </Card>
  );
}

function Columns({ file, check, onChange }: Pick<Props, 'file' | 'check' | 'onChange'>) {
  const { columns, source, rows } = check;
  const fields = columns.map(({ field }) => field);
  const changeColumn = (at: number, field: ImportField) =>
    onChange({ ...file, source, columns: fields.map((one, index) => (index === at ? field : one)) });
  if (columns.length === 0) return null;
  const byX = fields.includes('x') && !fields.includes('telegram') && !fields.includes('telegram_id');
  const byName = fields.includes('telegram') && !fields.includes('telegram_id');
  return (
    <section aria-labelledby="import-columns">
      <SectionHead
        title={<span id="import-columns">{m.import_columns()}</span>}
        end={
          <span className="text-small text-muted break-anywhere">
            {m.import_columns_of({ file: file.name, rows: m.import_rows({ count: rows, n: number(rows) }) })}
          </span>
        }
      />
      <Card className="form-stack">
        <Select
          label={m.import_source()}
          options={Object.entries(SOURCES).map(([value, label]) => ({ value: value as typeof source, label: label() }))}
          value={source}
          onValue={(value) => {
            // The source's own columns replace those chosen for another one.
            const { columns: _chosen, ...rest } = file;
            onChange({ ...rest, source: value });
          }}
        />
        <ul className="ruled-list">
          {columns.map(({ name, samples, field }, at) => {
            const called = name || m.import_unnamed({ n: number(at + 1) });
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by their index, as two may share a name
              <li key={at} className={field === 'leave' ? 'import-column import-column--left' : 'import-column'}>
                <div>
                  <p className="break-anywhere">
                    <b>{called}</b>
                  </p>
                  <p className="import-sample">{samples.join(', ') || '–'}</p>
                </div>
                <span className="only-wide" aria-hidden="true">
                  <Icon name="forward" size={16} />
                </span>
                <span className="field__chosen">
                  <select
                    className="field__input"
                    aria-label={m.import_becomes({ column: called })}
                    value={field}
                    onChange={({ currentTarget }) => changeColumn(at, currentTarget.value as ImportField)}
                  >
                    {FIELDS[file.kind].map((one) => (
                      <option key={one} value={one}>
                        {fieldWord(one)}
                      </option>
                    ))}
                  </select>
                  <Icon name="down" />
                </span>
              </li>
            );
          })}
        </ul>
      </Card>
      <p className="text-small text-muted import-note">
        {file.kind === 'people' ? m.import_note_people() : m.import_note_tasks()}
        {file.kind === 'people' && byName && ` ${m.import_note_username()}`}
        {file.kind === 'people' && byX && ` ${m.import_note_x()}`}
      </p>
    </section>
  );
}
