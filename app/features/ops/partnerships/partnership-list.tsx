import { List, NoneFound, SearchField } from '../../../ui/pages.tsx';
import '../../../ui/desk.css';
import '../account-rooms.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DECISION_REASON_MAX } from '../../../../server/contract/limits.ts';
import type { Partnership, PartnershipState } from '../../../../server/contract/partnerships.ts';
import { number } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { useSearch, useTypedSearch } from '../../../lib/search.ts';
import { m } from '../../../paraglide/messages.js';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Anchor, Button } from '../../../ui/button.tsx';
import { Card, Chip, Quote, SectionHead } from '../../../ui/card.tsx';
import { Select, TextArea } from '../../../ui/field.tsx';
import { Mark } from '../../../ui/icon.tsx';
import { useListFocus } from '../../../ui/list-focus.ts';
import { KIND_WORDS, STATE_MARKS, STATE_WORDS } from '../../partnerships/words.ts';
import { type DeskAction, DeskActionForm } from '../desk-actions.tsx';
import { HistoryRows } from '../detail-parts.tsx';
import { ForAdmins } from '../for-admins.tsx';

const STATES = ['new', 'in_talk', 'accepted', 'declined'] as const satisfies readonly PartnershipState[];
const NEXT = ['in_talk', 'accepted', 'declined'] as const satisfies readonly PartnershipState[];

/** Partnership requests, the longest waiting first, each decided in its row. */
export function PartnershipList() {
  const searching = useSearch('/admin/partnerships');
  const [search, setSearch] = searching;
  const { typed, wanted, find } = useTypedSearch(searching);
  const state = STATES.find((one) => one === search.filter);
  const list = useListFocus<HTMLDivElement>();
  const usePage = (after: string | undefined) =>
    useQuery({
      ...read('GET /api/admin/partnership-requests', undefined, { search: wanted, state, after }),
      staleTime: 0,
      gcTime: 0,
    });
  const isAny = wanted !== undefined || state !== undefined;
  const showAll = () => {
    find('');
    setSearch({ search: null, filter: null });
  };
  return (
    <div ref={list}>
      <div className="filter-row">
        <SearchField label={m.partner_desk_find()} hint={m.partner_desk_find_hint()} typed={typed} find={find} />
        <Select
          label={m.partner_desk_filter()}
          options={[
            { value: 'all', label: m.partner_desk_all() },
            ...STATES.map((value) => ({ value, label: STATE_WORDS[value]() })),
          ]}
          value={state ?? 'all'}
          onValue={(value) => setSearch({ filter: value === 'all' ? null : value })}
        />
      </div>
      <List
        filters={`${wanted} ${state}`}
        usePage={usePage}
        reading={ForAdmins}
        none={
          <NoneFound
            title={isAny ? m.partner_desk_none_found() : m.partner_desk_none()}
            line={isAny ? undefined : m.partner_desk_none_line()}
            action={m.partner_desk_show_all()}
            onAll={isAny ? showAll : null}
          />
        }
        head={({ waiting }) => <SectionHead title={m.partner_desk_waiting({ count: waiting, n: number(waiting) })} />}
        cards
      >
        {(one) => <RequestCard request={one} />}
      </List>
    </div>
  );
}

function RequestCard({ request }: { request: Partnership }) {
  const { reference, name, organisation, contact, kind, message, state, answer, sentAt, from, history } = request;
  const [isOpen, setOpen] = useState(false);
  return (
    <Card>
      <div className="flex-row">
        <Mark state={STATE_MARKS[state]} />
        <div className="flex-grow">
          <h3>{organisation ? `${name}, ${organisation}` : name}</h3>
          <p className="text-small text-muted">{[KIND_WORDS[kind](), whenWord(sentAt), reference].join(' · ')}</p>
        </div>
        <Chip kind={state === 'accepted' ? 'ink' : state === 'declined' ? 'no' : 'plain'}>{STATE_WORDS[state]()}</Chip>
      </div>
      <dl className="account-facts">
        <dt>{m.partner_desk_contact()}</dt>
        <dd className="break-anywhere">{contact}</dd>
        <dt>{m.partner_desk_from()}</dt>
        <dd>
          {from ? (
            <Anchor className="text-link" to="/admin/account-management/person" search={{ person: from.userId }}>
              {from.displayName}
            </Anchor>
          ) : (
            m.partner_desk_stranger()
          )}
        </dd>
        <dt>{m.partner_desk_message()}</dt>
        <dd className="written-text">{message}</dd>
      </dl>
      {answer && (
        <Quote lead={m.partner_answer()} asks={state !== 'declined'}>
          {answer}
        </Quote>
      )}
      {history.length > 0 && (
        <details className="disclosure">
          <summary>{m.partner_desk_history()}</summary>
          <HistoryRows
            history={history.map(({ note, ...act }) => ({ ...act, id: `${act.at} ${act.action}`, reason: note }))}
          />
        </details>
      )}
      {isOpen ? (
        <Decision request={request} onClose={() => setOpen(false)} />
      ) : (
        <div className="actions">
          <Button kind="edge" aria-label={m.partner_desk_decide_label({ reference })} onClick={() => setOpen(true)}>
            {m.partner_desk_decide()}
          </Button>
        </div>
      )}
    </Card>
  );
}

function Decision({ request, onClose }: { request: Partnership; onClose: () => void }) {
  const { id, reference, state } = request;
  const client = useQueryClient();
  const action: DeskAction<{ to: (typeof NEXT)[number]; answer: string }> = {
    name: 'decide',
    icon: 'check',
    title: m.partner_desk_decide(),
    line: '',
    hint: m.partner_desk_note_hint(),
    happens: [m.desk_partner_1(), m.desk_partner_2()],
    done: ({ to }) => m.partner_desk_saved({ reference, state: STATE_WORDS[to]() }),
    act: () => m.partner_desk_save(),
    more: { to: state === 'new' ? 'in_talk' : 'accepted', answer: '' },
    blocked: ({ to, answer }) => (to === state && answer.trim() === '' ? m.desk_partner_same() : null),
    fields: (form) => (
      <>
        <Select
          label={m.partner_desk_to()}
          options={NEXT.map((value) => ({ value, label: STATE_WORDS[value]() }))}
          {...form.field('to')}
        />
        <TextArea
          label={m.partner_desk_answer()}
          hint={m.partner_desk_answer_hint()}
          rows={3}
          maxLength={DECISION_REASON_MAX}
          {...form.field('answer')}
        />
      </>
    ),
    run: ({ reason, to, answer }, idempotencyKey) =>
      call('POST /api/admin/partnership-requests/:requestId/state', {
        params: { requestId: id },
        body: { from: state, to, reason, ...(answer.trim() && { answer: answer.trim() }) },
        idempotencyKey,
      }),
  };
  return (
    <DeskActionForm
      about={`partnership:${id}`}
      action={action}
      onClose={onClose}
      onDone={() => void client.invalidateQueries(readsOf(['GET /api/admin/partnership-requests']))}
    />
  );
}
