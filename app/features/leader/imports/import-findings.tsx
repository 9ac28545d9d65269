import './imports.css';
import { useState } from 'react';
import type { ImportCheck, ImportFinding } from '../../../../server/contract/imports.ts';
import { number } from '../../../lib/format.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { fileOf, type ImportFile } from './import-text.ts';
import { findingWords } from './import-words.ts';

const SHOWN_FIRST = 3;
/** More lines per press: nobody reads thousands on screen, and the file has them. */
const SHOWN_MORE = 100;

type Props = {
  file: ImportFile;
  check: ImportCheck;
  rows: ReadonlyMap<number, string[]>;
  onChange: (file: ImportFile) => void;
};

/** Findings by kind: the lines, how they are read, and one choice. */
export function ImportFindings({ file, check, rows, onChange }: Props) {
  const { findings } = check;
  const count = new Set(findings.flatMap(({ lines }) => lines)).size;
  return (
    <section aria-labelledby="import-problems">
      <SectionHead
        title={<span id="import-problems">{m.import_problems({ count, n: number(count) })}</span>}
        end={
          <span className="text-small text-muted">
            {m.import_kinds({ count: findings.length, n: number(findings.length) })}
          </span>
        }
      />
      <Card className="card--rows">
        {findings.length === 0 ? (
          <p className="text-small text-muted import-calm">{m.import_no_problems()}</p>
        ) : (
          <ul className="ruled-list">
            {findings.map((finding) => (
              <li key={finding.problem} className="import-problem">
                <Problem finding={finding} file={file} rows={rows} onChange={onChange} />
              </li>
            ))}
          </ul>
        )}
      </Card>
    </section>
  );
}

function Problem({ finding, file, rows, onChange }: Omit<Props, 'check'> & { finding: ImportFinding }) {
  const [shown, setShown] = useState(SHOWN_FIRST);
  const { problem, effect, choice, lines, column, reading } = finding;
  const { what, about } = findingWords(finding, file.kind, number);
  const left = lines.length - shown;
  const choose = (take: boolean) => {
    const others = (file.choices ?? []).filter((one) => one.problem !== problem);
    onChange({ ...file, choices: [...others, { problem, take }] });
  };
  const head = m.import_problem_head({
    lines: m.import_rows({ count: lines.length, n: number(lines.length) }),
    what,
  });
  return (
    <>
      <div className="import-problem__head">
        <Mark state={effect === 'taken' ? 'changes' : 'refused'} />
        <div>
          <h3>{head}</h3>
          <p className="text-small text-muted break-anywhere">{about}</p>
        </div>
      </div>
      <ol
        className="import-lines"
        aria-label={m.import_lines_label({ what })}
        // Long lines scroll sideways, also by keyboard.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard
        tabIndex={0}
      >
        {lines.slice(0, shown).map((line) => (
          <li key={line}>
            <span>
              <span className="visually-hidden">{m.import_line_number()}</span>
              {number(line)}
            </span>
            <Cells cells={rows.get(line) ?? []} marked={column} isTaken={effect === 'taken'} />
          </li>
        ))}
      </ol>
      <div className="actions">
        {choice && (
          <>
            <Button
              kind={effect === 'taken' ? 'edge' : 'words'}
              aria-pressed={effect === 'taken'}
              {...(effect === 'taken' && { icon: 'check' as const })}
              onClick={() => choose(true)}
            >
              {takeWord(finding, file, reading)}
            </Button>
            <Button
              kind={effect === 'left_out' ? 'edge' : 'words'}
              aria-pressed={effect === 'left_out'}
              {...(effect === 'left_out' && { icon: 'check' as const })}
              onClick={() => choose(false)}
            >
              {m.import_leave()}
            </Button>
          </>
        )}
        {left > 0 && (
          <Button kind="words" onClick={() => setShown((now) => now + SHOWN_MORE)}>
            {left <= SHOWN_MORE
              ? m.import_show_all({ n: number(lines.length) })
              : m.import_show_more({ n: number(SHOWN_MORE) })}
          </Button>
        )}
        {effect !== 'taken' && (
          <Button
            kind="words"
            icon="export"
            onClick={() => saveFile(new Blob([fileOf(rows, lines)], { type: 'text/csv' }), `${problem}-${file.name}`)}
          >
            {m.import_download()}
          </Button>
        )}
      </div>
    </>
  );
}

function takeWord({ problem }: ImportFinding, file: ImportFile, reading: ImportFinding['reading']): string {
  if (problem === 'here' && file.kind === 'people') return m.import_take_add();
  if (reading && /^\d+$/.test(reading.to)) return m.import_take_as({ value: number(Number(reading.to)) });
  return m.import_take();
}

/** A row from the file with the affected cell marked. */
function Cells({ cells, marked, isTaken }: { cells: readonly string[]; marked: number | null; isTaken: boolean }) {
  return (
    <span>
      {cells.map((text, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by their index
        <span key={at}>
          {at > 0 && ','}
          {at === marked ? (
            <mark {...(isTaken && { className: 'import-lines__read' })}>{text.trim() || m.import_empty_cell()}</mark>
          ) : (
            text
          )}
        </span>
      ))}
    </span>
  );
}
