import { List, NoneFound, SearchField } from '../../../ui/pages.tsx';
import '../../../shared/audit/audit.css';
import './audit-screen.css';
import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../../server/contract/desk.ts';
import { stampTime } from '../../../lib/format.ts';
import { addressOf } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import type { Target } from '../../../lib/target.ts';
import { m } from '../../../paraglide/messages.js';
import { getLocale } from '../../../paraglide/runtime.js';
import { Anchor } from '../../../ui/button.tsx';
import { ExportLink } from '../../../ui/export-link.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Screen } from '../../../ui/screen.tsx';
import { ForAdmins } from '../for-admins.tsx';
import { actionWord } from '../people/action-words.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const NO_FILTERS = { search: null, who: null, act: null, from: null, to: null };

/** Start of a day by this device's clock, or of the next one; undefined when the address names none. */
function startOf(day: string | undefined, after: number): string | undefined {
  if (day === undefined || !DATE.test(day)) return undefined;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const at = new Date(year, month - 1, date + after);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

/** The filters are in the address, so a view of the audit log can be shared. */
function useFilters() {
  const searching = useSearch('/admin/audit');
  const [search, change] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const { who, act, from, to } = search;
  const query = { who, act, subject: wanted, from: startOf(from, 0), to: startOf(to, 1) };
  return { search, change, typed, find, query, isAny: Object.values(query).some((one) => one !== undefined) };
}
type Filters = ReturnType<typeof useFilters>;

/** `/admin/audit`: what was done to the instance, by whom, to whom, why and when, also at the command line. */
export function AuditScreen() {
  const filters = useFilters();
  const { query } = filters;
  const usePage = (after: string | undefined) =>
    useQuery({ ...read('GET /api/admin/audit', undefined, { ...query, after }), staleTime: 0, gcTime: 0 });
  // All actors and actions, independent of the filters: the fields do not change while a list loads.
  const { data: choices } = useQuery({ ...read('GET /api/admin/audit', undefined, {}), staleTime: 0, gcTime: 0 });
  const showAll = () => {
    filters.find('');
    filters.change(NO_FILTERS);
  };
  return (
    <Screen
      title={m.desk_audit()}
      lead={m.desk_audit_lead()}
      back={{ to: '/admin', label: m.ops_title() }}
      actions={(['csv', 'ndjson'] as const).map((format) => (
        <ExportLink
          key={format}
          to={addressOf('GET /api/admin/audit/export', undefined, { ...query, format }).path}
          label={m.desk_audit_export({ format: format.toUpperCase() })}
        >
          {format.toUpperCase()}
        </ExportLink>
      ))}
    >
      {choices && <FilterRow filters={filters} actors={choices.actors} actions={choices.actions} />}
      <List
        filters={JSON.stringify(query)}
        usePage={usePage}
        reading={ForAdmins}
        none={
          <NoneFound
            title={filters.isAny ? m.desk_audit_none_such() : m.desk_audit_none()}
            line={m.desk_audit_none_line()}
            action={m.desk_audit_show_all()}
            onAll={filters.isAny ? showAll : null}
          />
        }
        className="audit-row"
      >
        {(entry) => <AuditRow entry={entry} />}
      </List>
    </Screen>
  );
}

function FilterRow(props: {
  filters: Filters;
  actors: readonly { id: string; displayName: string }[];
  actions: readonly string[];
}) {
  const { search, change, typed, find } = props.filters;
  const withSelected = (value: string | undefined, options: readonly { value: string; label: string }[]) =>
    value === undefined || options.some((one) => one.value === value) ? options : [...options, { value, label: value }];
  const actionOptions = props.actions
    .map((value) => ({ value, label: actionWord(value) }))
    .sort((a, b) => a.label.localeCompare(b.label, getLocale()));
  const people = [
    ...props.actors.map(({ id, displayName }) => ({ value: id, label: displayName })),
    { value: 'cli', label: m.desk_audit_cli() },
    { value: 'config', label: m.desk_audit_config() },
    { value: 'server', label: m.people_by_server() },
  ];
  const any = { value: '', label: m.desk_audit_any() };
  return (
    <div className="audit-filters">
      <SearchField label={m.desk_audit_subject()} hint={m.desk_audit_subject_hint()} typed={typed} find={find} />
      <Select
        label={m.desk_audit_who()}
        options={[any, ...withSelected(search.who, people)]}
        value={search.who ?? ''}
        onValue={(value) => change({ who: value || null })}
      />
      <Select
        label={m.desk_audit_act()}
        options={[any, ...withSelected(search.act, actionOptions)]}
        value={search.act ?? ''}
        onValue={(value) => change({ act: value || null })}
      />
      <Field
        label={m.desk_audit_from()}
        type="date"
        value={search.from ?? ''}
        onValue={(value) => change({ from: value || null })}
      />
      <Field
        label={m.desk_audit_to()}
        type="date"
        value={search.to ?? ''}
        onValue={(value) => change({ to: value || null })}
      />
    </div>
  );
}

const VIA_WORDS = { cli: m.desk_audit_cli, config: m.desk_audit_config } as const;
/** Pages for the subject of an action, by its code's prefix. */
const PAGES: readonly [string, (id: string) => Target][] = [
  ['person.', (person) => ({ to: '/admin/account-management/person', search: { person } })],
  ['application.', (person) => ({ to: '/admin/account-management/person', search: { person } })],
  ['community.', (community) => ({ to: '/admin/communities', search: { community } })],
  ['board.', (community) => ({ to: '/admin/communities', search: { community } })],
];

function AuditRow({ entry }: { entry: AuditEntry }) {
  const { action, by, via, subject, subjectId, reason, at } = entry;
  const page = PAGES.find(([head]) => action.startsWith(head))?.[1];
  return (
    <>
      <span className="chip">{actionWord(action)}</span>
      <p className="text-small">
        {by ? by.displayName : via ? VIA_WORDS[via]() : m.people_by_server()}
        {subject && (
          <>
            {' → '}
            {page && subjectId ? (
              <Anchor className="text-link" {...page(subjectId)}>
                {subject}
              </Anchor>
            ) : (
              subject
            )}
          </>
        )}
        {reason && <span className="text-muted written-text"> {m.member_in_quotes({ words: reason })}</span>}
      </p>
      <span className="text-tiny text-muted">{stampTime(at)}</span>
    </>
  );
}
