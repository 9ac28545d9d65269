import './imports.css';
import { m } from '../../../paraglide/messages.js';
import { Card, SectionHead } from '../../../ui/card.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';

const TABLES = ['members', 'waiting', 'tasks', 'claims', 'history', 'ledger'] as const;
const TABLE_WORDS = {
  members: m.leader_export_members,
  waiting: m.import_export_waiting,
  tasks: m.import_export_tasks,
  claims: m.leader_export_claims,
  history: m.leader_export_history,
  ledger: m.leader_export_ledger,
} as const;

export function Exports({ communityId }: { communityId: string }) {
  return (
    <>
      <SectionHead title={m.leader_exports()} />
      <Card className="card--rows">
        <ul className="ruled-list">
          {TABLES.map((table) => (
            <li key={table} className="export-row">
              <div>
                <h3>{TABLE_WORDS[table]()}</h3>
              </div>
              <div className="actions">
                {(['csv', 'ndjson'] as const).map((format) => (
                  <ExportLink
                    key={format}
                    to={`/api/communities/${communityId}/exports/${table}?format=${format}`}
                    label={m.leader_export_as({ what: TABLE_WORDS[table](), format: format.toUpperCase() })}
                  >
                    {format.toUpperCase()}
                  </ExportLink>
                ))}
              </div>
            </li>
          ))}
        </ul>
        <p className="text-tiny text-muted export-foot">{m.import_exports_line()}</p>
      </Card>
    </>
  );
}
