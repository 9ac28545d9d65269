import './ledger.css';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import type { LedgerEntry } from '../../../server/contract/ledger.ts';
import type { Profile } from '../../../server/contract/user.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Button } from '../../ui/button.tsx';
import { Card, Points } from '../../ui/card.tsx';
import { ExportLink } from '../../ui/export-link.tsx';
import { Select } from '../../ui/field.tsx';
import { Reading } from '../../ui/states.tsx';

const KINDS = { award: m.member_ledger_award, adjust: m.member_ledger_adjust, reverse: m.member_ledger_reverse };

/** Every point with its reason, page by page, for all communities or one; and a signed export. */
export function Ledger({ communities }: Pick<Profile, 'communities'>) {
  const [communityId, setCommunityId] = useState('');
  return (
    <>
      {communities.length > 1 && (
        <div className="ledger-choice">
          <Select
            label={m.member_ledger_of()}
            options={[
              { value: '', label: m.member_ledger_all() },
              ...communities.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            value={communityId}
            onValue={setCommunityId}
          />
        </div>
      )}
      <Pages key={communityId} communityId={communityId} />
      <Export />
    </>
  );
}

function Pages({ communityId }: { communityId: string }) {
  /** Cursors of the pages after the first. */
  const [afters, setAfters] = useState<string[]>([]);
  const pages = useQueries({
    queries: [undefined, ...afters].map((after) =>
      read('GET /api/user/ledger', undefined, {
        ...(after !== undefined && { after }),
        ...(communityId !== '' && { communityId }),
      }),
    ),
  });
  const [first] = pages;
  const last = pages.at(-1);
  const next = last?.data?.next ?? null;
  if (!first || !last) return null;
  return (
    <Reading query={first}>
      {({ items }) =>
        items.length === 0 ? (
          <LedgerLines lines={items} />
        ) : (
          <>
            <LedgerLines lines={pages.flatMap(({ data }) => data?.items ?? [])} />
            {last !== first && last.data === undefined && <Reading query={last}>{() => null}</Reading>}
            {next !== null && (
              <div className="actions">
                <Button kind="edge" onClick={() => setAfters([...afters, next])}>
                  {m.member_ledger_more()}
                </Button>
              </div>
            )}
          </>
        )
      }
    </Reading>
  );
}

/** Ledger entries, or that there are none. */
export function LedgerLines({ lines }: { lines: readonly LedgerEntry[] }) {
  if (lines.length === 0)
    return (
      <Card>
        <p className="text-small text-muted">{m.member_ledger_empty()}</p>
      </Card>
    );
  return (
    <Card className="card--rows">
      <ul className="ruled-list">
        {lines.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </ul>
    </Card>
  );
}

function Line({ line }: { line: LedgerEntry }) {
  return (
    <li className="ledger-line">
      <div>
        <p className="ledger-line__title">{line.task ?? KINDS[line.kind]()}</p>
        <p className="text-small text-muted">
          {[
            line.community,
            whenWord(line.at),
            line.kind === 'award' ? '' : KINDS[line.kind](),
            line.by ? m.member_ledger_by({ who: line.by }) : '',
            line.reason ?? '',
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <b className={line.points < 0 ? 'ledger-line__minus' : 'ledger-line__plus'}>
        <Points value={line.points} />
      </b>
    </li>
  );
}

/** The export is signed on request, so it needs the server. */
function Export() {
  return (
    <div className="stack ledger-export">
      <p className="text-small text-muted">{m.member_export_line()}</p>
      <div className="actions">
        <ExportLink to="/api/user/ledger/export">{m.member_export()}</ExportLink>
      </div>
    </div>
  );
}
