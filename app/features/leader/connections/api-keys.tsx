import '../../../ui/desk.css';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { API_KEY_MAX_DAYS, API_KEY_NAME_MAX } from '../../../../server/contract/limits.ts';
import type { ApiKey } from '../../../../server/contract/rooms.ts';
import type { ApiScope } from '../../../../server/contract/route.ts';
import { day } from '../../../lib/format.ts';
import { call } from '../../../lib/http.ts';
import { read } from '../../../lib/query.ts';
import { m } from '../../../paraglide/messages.js';
import { Confirm } from '../../../shared/commands/command-parts.tsx';
import { Form, shortProblem, useForm, wholeProblem } from '../../../shared/commands/form.tsx';
import { useCommand } from '../../../shared/commands/use-command.ts';
import { whenWord } from '../../../shared/tasks/words.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Field } from '../../../ui/field.tsx';
import { Ticks } from '../../../ui/ticks.tsx';
import { SecretList } from './secret-list.tsx';

const SCOPES = {
  'read:board': m.leader_scope_read_board,
  'read:members': m.leader_scope_read_members,
  'read:claims': m.leader_scope_read_claims,
  'read:ledger': m.leader_scope_read_ledger,
  'write:claims': m.leader_scope_write_claims,
  'write:points': m.leader_scope_write_points,
} as const satisfies Record<ApiScope, () => string>;
const ALL_SCOPES = Object.keys(SCOPES) as ApiScope[];

/** API keys of this community for the leaders' own programs, each with its scopes. */
export function ApiKeys({ communityId }: { communityId: string }) {
  const query = useQuery(read('GET /api/communities/:communityId/api-keys', { communityId }));
  return (
    <SecretList
      title={m.leader_api_keys()}
      query={query}
      make={m.leader_key_make()}
      none={{ title: m.leader_no_keys(), line: m.leader_no_keys_line() }}
      made={{ title: m.leader_key_made(), line: m.leader_key_made_line() }}
      form={(onMade) => <KeyForm communityId={communityId} onMade={onMade} />}
    >
      {(keys) => (
        <Card className="card--rows">
          <ul className="ruled-list">
            {keys.map((key) => (
              <li key={key.id} data-row>
                <Key communityId={communityId} apiKey={key} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </SecretList>
  );
}

function Key({ communityId, apiKey }: { communityId: string; apiKey: ApiKey }) {
  const [asking, setAsking] = useState(false);
  const close = useCallback(() => setAsking(false), []);
  const end = useCommand(
    (_: null, idempotencyKey) =>
      call('DELETE /api/communities/:communityId/api-keys/:keyId', {
        params: { communityId, keyId: apiKey.id },
        idempotencyKey,
      }),
    close,
  );
  const facts = [
    m.leader_key_by({ who: apiKey.madeBy, date: day(apiKey.createdAt) }),
    apiKey.expiresAt ? m.leader_key_until({ date: day(apiKey.expiresAt) }) : null,
    apiKey.lastUsedAt ? m.leader_key_used({ time: whenWord(apiKey.lastUsedAt) }) : m.leader_key_unused(),
  ];
  return (
    <div className="task-line">
      <div>
        <h3>
          {apiKey.name} <span className="chip chip--code">{apiKey.prefix}…</span>
        </h3>
        <p className="text-small text-muted">{apiKey.scopes.map((scope) => SCOPES[scope]()).join(' · ')}</p>
        <p className="text-tiny text-muted">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="task-line__actions">
        <Button kind="words" aria-label={m.leader_key_end_named({ name: apiKey.name })} onClick={() => setAsking(true)}>
          {m.leader_key_end()}
        </Button>
      </div>
      <Confirm
        title={m.leader_key_end_title({ name: apiKey.name })}
        line={m.leader_key_end_line()}
        action={m.leader_key_end()}
        cancel={m.leader_keep()}
        open={asking}
        onClose={close}
        command={end}
        body={null}
      />
    </div>
  );
}

function KeyForm({ communityId, onMade }: { communityId: string; onMade: (key: string) => void }) {
  const form = useForm({
    initial: { name: '', scopes: ['read:board'] as ApiScope[], days: '90' },
    atOnce: ['days'],
    problems: ({ name, days }) => ({
      name: shortProblem(name, 2),
      days: days.trim() === '' ? null : wholeProblem(days, 1, API_KEY_MAX_DAYS),
    }),
    blocked: ({ scopes }) => (scopes.length === 0 ? m.leader_choose_one() : null),
    body: ({ name, scopes, days }) => ({
      name: name.trim(),
      scopes,
      ...(days.trim() !== '' && { days: Number(days) }),
    }),
    send: (body, idempotencyKey) =>
      call('POST /api/communities/:communityId/api-keys', { params: { communityId }, body, idempotencyKey }),
    done: (made) => onMade(made.key),
  });
  return (
    <Form form={form} act={m.leader_key_make()} isWide>
      <Field
        label={m.leader_key_name()}
        hint={m.leader_key_name_hint()}
        maxLength={API_KEY_NAME_MAX}
        {...form.field('name')}
      />
      <Ticks
        legend={m.leader_key_scopes()}
        options={ALL_SCOPES.map((value) => ({ value, label: SCOPES[value]() }))}
        {...form.field('scopes')}
      />
      <Field label={m.leader_key_days()} hint={m.leader_key_days_hint()} inputMode="numeric" {...form.field('days')} />
    </Form>
  );
}
