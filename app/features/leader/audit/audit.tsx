import { List } from '../../../ui/pages.tsx';
import '../../../shared/audit/audit.css';
import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../../lib/query.ts';
import { useSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { getLocale } from '../../../paraglide/runtime.js';
import { AUDIT_WORDS, auditSubject, auditWord } from '../../../shared/audit/audit-words.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Select } from '../../../ui/field.tsx';
import { Empty } from '../../../ui/states.tsx';

/** Who did what here, to whom and why, latest first. */
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
      <List
        filters={action ?? ''}
        usePage={usePage}
        none={
          <Empty title={action ? m.leader_audit_none_such() : m.leader_audit_none()} line={m.leader_audit_line()} />
        }
        className="audit-row"
      >
        {(entry) => (
          <>
            <span className="chip">{auditWord(entry.action)}</span>
            <p className="text-small">
              {[entry.by ?? m.leader_audit_server(), auditSubject(entry)].filter(Boolean).join(' → ')}
              {entry.reason && <span className="text-muted"> {m.member_in_quotes({ words: entry.reason })}</span>}
            </p>
            <span className="text-tiny text-muted">{whenWord(entry.at)}</span>
          </>
        )}
      </List>
    </>
  );
}

const choices = () =>
  Object.keys(AUDIT_WORDS)
    .map((value) => ({ value, label: auditWord(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, getLocale()));
