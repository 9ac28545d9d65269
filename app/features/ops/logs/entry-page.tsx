import './issue-page.css';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { ButtonLink } from '../../../ui/button.tsx';
import { Empty } from '../../../ui/states.tsx';
import { EntryParts } from './entry-parts.tsx';
import { LIVE, Live } from './parts.tsx';
import { logsAt } from './search.ts';

/** One entry by its own link: a breadcrumb, or one without an issue. */
export function EntryPage({ entryId }: { entryId: string }) {
  const query = useQuery({ ...read('GET /api/admin/client-logs/entries/:entryId', { entryId }), ...LIVE });
  return (
    <Live
      query={query}
      missing={
        <Empty
          title={m.logs_entry_gone()}
          line={m.logs_entry_gone_line()}
          action={<ButtonLink to="/admin/client-logs">{m.logs_back()}</ButtonLink>}
        />
      }
    >
      {(detail) => (
        <div className="issue-page">
          {detail.entry.issueId !== null && (
            <p className="actions">
              <ButtonLink kind="edge" {...logsAt('issue', { issue: detail.entry.issueId, entry: entryId })}>
                {m.logs_to_issue()}
              </ButtonLink>
            </p>
          )}
          <h2>{detail.entry.kind === 'error' ? m.logs_kind_error() : m.logs_kind_debug()}</h2>
          <EntryParts detail={detail} />
        </div>
      )}
    </Live>
  );
}
