import './issue-commands.css';
import './parts.css';
import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { LOG_MERGE_MAX, LOG_SEARCH_MAX } from '../../../../server/contract/limits.ts';
import type { IgnoreUntil, Issue, IssueDetail, NewIssueState } from '../../../../server/contract/ops-logs.ts';
import { inert } from '../../../../server/rules/inert.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { useKeys } from '../../../lib/use-keys.ts';
import { m } from '../../../paraglide/messages.js';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Field, Select } from '../../../ui/field.tsx';
import { Sheet } from '../../../ui/sheet.tsx';
import { toast } from '../../../ui/toast.tsx';
import { Inert, LIVE, Live, LogCommandButton, Refused, useLogCommand } from './parts.tsx';
import { logsAt } from './search.ts';
import { countWord, stateWord } from './words.ts';

type OpenForm = 'resolve' | 'ignore' | 'merge' | null;

/** Manual actions on an issue. */
export function IssueCommands({ detail }: { detail: IssueDetail }) {
  const { issue } = detail;
  const [opened, setOpened] = useState<OpenForm>(null);
  const close = () => setOpened(null);
  const state = useLogCommand(
    (body: NewIssueState) =>
      call('POST /api/admin/client-logs/issues/:issueId/state', { params: { issueId: issue.id }, body }),
    (now) => {
      close();
      toast({ icon: 'check', title: stateWord(now.issue) });
    },
  );
  useKeys({ e: () => setOpened('resolve'), i: () => setOpened('ignore'), m: () => setOpened('merge') });
  return (
    <>
      <div className="actions">
        {issue.state === 'open' ? (
          <>
            <Button icon="check" onClick={() => setOpened('resolve')}>
              {m.logs_resolve()}
            </Button>
            <Button kind="edge" icon="bell-off" onClick={() => setOpened('ignore')}>
              {m.logs_ignore()}
            </Button>
          </>
        ) : (
          <LogCommandButton command={state} body={{ state: 'open' }} icon="retry">
            {m.logs_reopen()}
          </LogCommandButton>
        )}
        {!issue.isOther && (
          <Button kind="edge" icon="plus" onClick={() => setOpened('merge')}>
            {m.logs_merge()}
          </Button>
        )}
        <ButtonLink kind="words" icon="ledger" {...logsAt('entries', { issue: issue.id, last: '30d' })}>
          {m.logs_all_entries()}
        </ButtonLink>
      </div>
      {opened === null && <Refused error={state.error} />}
      <Sheet title={m.logs_resolve_title()} open={opened === 'resolve'} onClose={close}>
        <Resolve detail={detail} command={state} />
      </Sheet>
      <Sheet title={m.logs_ignore_title()} open={opened === 'ignore'} onClose={close}>
        <Ignore command={state} />
      </Sheet>
      <Sheet title={m.logs_merge_title()} open={opened === 'merge'} onClose={close}>
        <Merge issue={issue} onDone={close} />
      </Sheet>
    </>
  );
}

type StateCommand = ReturnType<typeof useLogCommand<NewIssueState, IssueDetail>>;

/** The fixing release decides which later entries are a regression and which are just late. */
function Resolve({ detail, command }: { detail: IssueDetail; command: StateCommand }) {
  const [release, setRelease] = useState('');
  const options = [
    { value: '', label: m.logs_resolve_this() },
    { value: 'next', label: m.logs_resolve_next() },
    ...detail.affected.release.map(({ value }) => ({
      value,
      label: m.logs_resolve_release({ release: inert(value) }),
    })),
  ];
  return (
    <div className="log-form">
      <Select
        label={m.logs_resolve_in()}
        hint={m.logs_resolve_hint()}
        options={options}
        value={release}
        onValue={setRelease}
      />
      <Refused error={command.error} />
      <div className="actions">
        <LogCommandButton
          command={command}
          body={{ state: 'resolved', ...(release !== '' && { release }) }}
          icon="check"
        >
          {m.logs_resolve()}
        </LogCommandButton>
      </div>
    </div>
  );
}

const UNTIL = ['forever', 'day', 'week', 'count', 'people', 'release'] as const;
type Until = (typeof UNTIL)[number];
const UNTIL_WORDS: Record<Until, () => string> = {
  forever: m.logs_until_forever,
  day: m.logs_until_day,
  week: m.logs_until_week,
  count: m.logs_until_count,
  people: m.logs_until_people,
  release: m.logs_until_release,
};
const DAY_MS = 86_400_000;
const MOST = 1_000_000;

function untilOf(until: Until, n: number): IgnoreUntil {
  switch (until) {
    case 'day':
      return { kind: 'time', at: new Date(Date.now() + DAY_MS).toISOString() };
    case 'week':
      return { kind: 'time', at: new Date(Date.now() + 7 * DAY_MS).toISOString() };
    case 'count':
      return { kind: 'count', count: n };
    case 'people':
      return { kind: 'people', people: n };
    default:
      return { kind: until };
  }
}

function Ignore({ command }: { command: StateCommand }) {
  const [until, setUntil] = useState<Until>('week');
  const [typed, setTyped] = useState('10');
  const n = Number(typed);
  const isCounted = until === 'count' || until === 'people';
  const isWrong = isCounted && !(Number.isInteger(n) && n >= 1 && n <= MOST);
  return (
    <div className="log-form">
      <Select
        label={m.logs_ignore_until()}
        options={UNTIL.map((value) => ({ value, label: UNTIL_WORDS[value]() }))}
        value={until}
        onValue={setUntil}
      />
      {isCounted && (
        <Field
          label={m.logs_how_many()}
          inputMode="numeric"
          value={typed}
          onValue={setTyped}
          error={isWrong ? m.logs_whole_number({ min: 1, max: MOST }) : null}
        />
      )}
      <Refused error={command.error} />
      <div className="actions">
        <LogCommandButton
          command={command}
          body={{ state: 'ignored', until: untilOf(until, n) }}
          icon="bell-off"
          held={isWrong ? m.logs_whole_number({ min: 1, max: MOST }) : null}
        >
          {m.logs_ignore()}
        </LogCommandButton>
      </div>
    </div>
  );
}

/** Merges other issues into this one. */
function Merge({ issue, onDone }: { issue: Issue; onDone: () => void }) {
  const [typed, setTyped] = useState(issue.type);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const q = useDeferredValue(typed.trim()) || undefined;
  const [from] = useState(() => new Date(Date.now() - 30 * DAY_MS).toISOString());
  const query = useQuery({
    ...read('GET /api/admin/client-logs/issues', undefined, { q, from, state: 'any', limit: '20' }),
    ...LIVE,
    placeholderData: (before) => before,
  });
  const command = useLogCommand(
    (issueIds: readonly string[]) =>
      call('POST /api/admin/client-logs/issues/:issueId/merge', {
        params: { issueId: issue.id },
        body: { issueIds: [...issueIds] },
      }),
    () => {
      onDone();
      toast({ icon: 'check', title: m.logs_merged() });
    },
  );
  const toggle = (id: string) =>
    setPicked(picked.includes(id) ? picked.filter((one) => one !== id) : [...picked, id].slice(0, LOG_MERGE_MAX));
  return (
    <div className="log-form">
      <Field label={m.logs_merge_search()} type="search" maxLength={LOG_SEARCH_MAX} value={typed} onValue={setTyped} />
      <Live query={query}>
        {({ issues }) => {
          const others = issues.filter(({ id, isOther }) => id !== issue.id && !isOther);
          return others.length === 0 ? (
            <p className="text-small text-muted">{m.logs_merge_none()}</p>
          ) : (
            <ul className="ruled-list merge-list">
              {others.map((other) => (
                <li key={other.id}>
                  <label className="log-tick">
                    <input type="checkbox" checked={picked.includes(other.id)} onChange={() => toggle(other.id)} />
                    <span>
                      <b>
                        <Inert>{other.title}</Inert>
                      </b>
                      <span className="text-tiny text-muted">
                        {' '}
                        {countWord(other.countAll)}
                        {other.culprit !== null && (
                          <>
                            {', '}
                            <Inert>{other.culprit}</Inert>
                          </>
                        )}
                      </span>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          );
        }}
      </Live>
      <Refused error={command.error} />
      <div className="actions">
        <LogCommandButton command={command} body={picked} held={picked.length === 0 ? m.logs_merge_pick() : null}>
          {m.logs_merge_do({ n: picked.length })}
        </LogCommandButton>
      </div>
    </div>
  );
}
