import '../../../shared/audit/audit.css';
import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../../lib/query.ts';
import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { getLocale } from '../../../paraglide/runtime.js';
import { AUDIT_WORDS, auditSubject, auditWord } from '../../../shared/audit/audit-words.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Card } from '../../../ui/card.tsx';
import { Select } from '../../../ui/field.tsx';
import { Pages } from '../../../ui/pages.tsx';
import { Empty } from '../../../ui/states.tsx';

/** Who did what here, to whom and why, the latest first. */
export function Audit({ communityId }: { communityId: string }) {
  const [search, setSearch] = useSearch('/community/$communityId/admin/audit');
  const action = Object.keys(AUDIT_WORDS).find((one) => one === search.action);
  const usePage = (after: string | undefined) =>
    useQuery(read('GET /api/communities/:communityId/audit', { communityId }, { action, after }));
  return (
    <>
      <div className="filter-row">
        <Select
          label={m.leader_audit_filter()}
          options={[{ value: '', label: m.leader_audit_any() }, ...choices()]}
          value={action ?? ''}
          onValue={(value) => setSearch({ action: value || null })}
        />
      </div>
      <Pages key={action ?? ''} usePage={usePage}>
        {({ items }, isFirst) =>
          items.length === 0 ? (
            isFirst && (
              <Empty title={action ? m.leader_audit_none_such() : m.leader_audit_none()} line={m.leader_audit_line()} />
            )
          ) : (
            <Card className="card--rows">
              <ul className="ruled-list">
                {items.map((entry) => (
                  <li key={entry.id} className="audit-row">
                    <span className="chip">{auditWord(entry.action)}</span>
                    <p className="text-small">
                      {[entry.by ?? m.leader_audit_server(), auditSubject(entry)].filter(Boolean).join(' → ')}
                      {entry.reason && (
                        <span className="text-muted"> {m.member_in_quotes({ words: entry.reason })}</span>
                      )}
                    </p>
                    <span className="text-tiny text-muted">{whenWord(entry.at)}</span>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </Pages>
    </>
  );
}

const choices = () =>
  Object.keys(AUDIT_WORDS)
    .map((value) => ({ value, label: auditWord(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, getLocale()));
