import '../../../ui/desk.css';
import './people.css';
import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { DECISION_REASON_MAX } from '../../../../server/contract/limits.ts';
import type { PersonDetail } from '../../../../server/contract/people.ts';
import { ERASURE_WAIT_DAYS } from '../../../../server/contract/person-limits.ts';
import { seenLength } from '../../../../server/contract/seen-length.ts';
import { useDraft } from '../../../lib/drafts.ts';
import { day } from '../../../lib/format.ts';
import { addressOf, call, request } from '../../../lib/http.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { m } from '../../../paraglide/messages.js';
import { Refused } from '../../../shared/commands/command-parts.tsx';
import { useCommand, useNeedsConnection } from '../../../shared/commands/use-command.ts';
import { Button } from '../../../ui/button.tsx';
import { Card, ListRow } from '../../../ui/card.tsx';
import { Field, Select, TextArea } from '../../../ui/field.tsx';
import { Icon, type IconName } from '../../../ui/icon.tsx';
import { REASON_MIN } from '../../../ui/reason-dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { linkGiven, linkWords, missingOfLink, XLinkFields, type XLinkGiven } from './x-link-fields.tsx';

/** Target of the page's header link. */
export const ACTIONS_ID = 'person-actions';

const DAY_MS = 24 * 60 * 60_000;
const ENDS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS, open: null } as const;
type End = keyof typeof ENDS;
const END_WORDS: Record<End, () => string> = {
  day: m.people_end_day,
  week: m.people_end_week,
  month: m.people_end_month,
  open: m.people_end_open,
};
const ROLES = ['member', 'ops', 'admin'] as const;
type Role = (typeof ROLES)[number];
const ROLE_WORDS: Record<Role, () => string> = { member: m.people_member, ops: m.people_ops, admin: m.people_admin };

/** As `ERASE_WORD` of the contract. */
const ERASE_WORD = 'ERASE';

type Name = 'suspend' | 'restore' | 'sign-out' | 'verify' | 'link' | 'unlink' | 'role' | 'archive' | 'erase' | 'keep';
type Action = {
  name: Name;
  icon: IconName;
  title: string;
  line: string;
  /** The consequences, one a line. */
  happens: readonly string[];
  done: string;
  isGrave?: boolean;
};

function actionsFor(person: PersonDetail, isOwn: boolean): Action[] {
  const who = person.displayName;
  const sessions = person.sessions.length;
  const signOut: Action = {
    name: 'sign-out',
    icon: 'sign-out',
    title: m.people_sign_out(),
    line: m.people_sign_out_line({ count: sessions, n: sessions }),
    happens: [m.people_sign_out_1(), m.people_sign_out_2()],
    done: m.people_sign_out_done({ who }),
  };
  // Only another administrator may decide about an administrator.
  if (isOwn) return [signOut];
  const archive: Action = {
    name: 'archive',
    icon: 'export',
    title: m.people_archive(),
    line: m.people_archive_line(),
    happens: [m.people_archive_1(), m.people_archive_2()],
    done: m.people_archive_done(),
  };
  if (person.erasure) {
    const keep: Action = {
      name: 'keep',
      icon: 'undo',
      title: m.people_keep(),
      line: m.people_keep_line({ day: day(person.erasure.dueAt) }),
      happens: [m.people_keep_1()],
      done: m.people_keep_done({ who }),
    };
    // No other action on an account that is to be erased.
    return [keep, archive];
  }
  const erase: Action = {
    name: 'erase',
    icon: 'discard',
    title: m.people_erase(),
    line: m.people_erase_line({ days: ERASURE_WAIT_DAYS }),
    happens: [
      m.people_erase_1(),
      m.people_erase_2({ days: ERASURE_WAIT_DAYS }),
      m.people_erase_3(),
      m.people_erase_4(),
    ],
    done: m.people_erase_done({ who, days: ERASURE_WAIT_DAYS }),
    isGrave: true,
  };
  const suspend: Action = {
    name: 'suspend',
    icon: 'warning',
    title: person.suspension ? m.people_resuspend() : m.people_suspend(),
    line: m.people_suspend_line(),
    happens: [m.people_suspend_1(), m.people_suspend_2(), m.people_suspend_3(), m.people_suspend_4()],
    done: m.people_suspend_done({ who }),
    isGrave: true,
  };
  const restore: Action = {
    name: 'restore',
    icon: 'retry',
    title: m.people_restore(),
    line: m.people_restore_line(),
    happens: [m.people_restore_1()],
    done: m.people_restore_done({ who }),
  };
  const verify: Action = {
    name: 'verify',
    icon: 'check',
    title: m.people_verify(),
    line: m.people_verify_line(),
    happens: [m.people_verify_1()],
    done: m.people_verify_done({ who }),
  };
  const unlink: Action = {
    name: 'unlink',
    icon: 'link',
    title: m.people_unlink(),
    line: m.people_unlink_line({ name: person.twitterUsername ?? '' }),
    happens: [m.people_unlink_1(), m.people_unlink_2()],
    done: m.people_unlink_done({ who }),
    isGrave: true,
  };
  const role: Action = {
    name: 'role',
    icon: 'you',
    title: m.people_role(),
    line: ROLE_WORDS[person.role](),
    happens: [m.people_role_1(), m.people_role_2()],
    done: m.people_role_done({ who }),
  };
  return [
    ...(person.suspension ? [restore] : []),
    suspend,
    signOut,
    ...(person.isVerified ? [] : [verify]),
    { name: 'link', icon: 'link', ...linkWords(who) },
    ...(person.twitterUsername ? [unlink] : []),
    role,
    archive,
    erase,
  ];
}

/** Actions on an account; each opens a form that lists the consequences above its button. */
export function PersonActions({ person, isOwn }: { person: PersonDetail; isOwn: boolean }) {
  const [open, setOpen] = useState<Name | null>(null);
  return (
    <section id={ACTIONS_ID} className="person-actions" aria-label={m.people_actions()}>
      <Card className="card--rows">
        <ul className="ruled-list">
          {actionsFor(person, isOwn).map((action) => (
            <li key={action.name}>
              {open === action.name ? (
                <ActionForm person={person} action={action} onClose={() => setOpen(null)} />
              ) : (
                <ListRow
                  lead={<Icon name={action.icon} />}
                  title={action.title}
                  line={action.line}
                  onPress={() => setOpen(action.name)}
                />
              )}
            </li>
          ))}
        </ul>
      </Card>
      {isOwn && <p className="text-small text-muted own-note">{m.people_own()}</p>}
    </section>
  );
}

type Given = { reason: string; end: End; role: Role; word: string } & XLinkGiven;

/** Fetches a person's archive and saves it. */
async function saveArchive(userId: string, reason: string): Promise<void> {
  const { method, path } = addressOf('POST /api/admin/people/:userId/archive', { userId });
  const answer = await request(method, path, { reason });
  saveFile(await answer.blob(), `muster-${userId}.zip`);
}

/** Sends the chosen action. Each command answers the updated account. */
function send(name: Name, userId: string, given: Given, idempotencyKey: string): Promise<PersonDetail | undefined> {
  const { reason, role } = given;
  const more = { params: { userId }, idempotencyKey };
  switch (name) {
    case 'suspend': {
      const ms = ENDS[given.end];
      const until = ms === null ? null : new Date(Date.now() + ms).toISOString();
      return call('POST /api/admin/people/:userId/suspension', { ...more, body: { reason, until } });
    }
    case 'restore':
      return call('POST /api/admin/people/:userId/restoration', { ...more, body: { reason } });
    case 'sign-out':
      return call('POST /api/admin/people/:userId/sign-out', { ...more, body: { reason } });
    case 'verify':
    case 'unlink':
      return call('POST /api/admin/people/:userId/x', { ...more, body: { decision: name, reason } });
    case 'link':
      return call('POST /api/admin/people/:userId/x-link', { ...more, body: { ...linkGiven(given), reason } });
    case 'archive':
      return saveArchive(userId, reason).then(() => undefined);
    case 'erase':
      return call('POST /api/admin/people/:userId/erasure', { ...more, body: { word: ERASE_WORD, reason } });
    case 'keep':
      return call('POST /api/admin/people/:userId/erasure-cancellation', { ...more, body: { reason } });
    case 'role':
      return call('PUT /api/admin/people/:userId/role', { ...more, body: { role, reason } });
  }
}

function ActionForm(props: { person: PersonDetail; action: Action; onClose: () => void }) {
  const { person, action, onClose } = props;
  const { name } = action;
  const title = useId();
  const client = useQueryClient();
  const offline = useNeedsConnection();
  const { draft, change, drop } = useDraft<Given>(`person:${person.id}:${name}`, {
    reason: '',
    end: 'week',
    role: person.role,
    word: '',
    handle: '',
    evidence: '',
  });
  const reason = draft.reason.trim();
  const isShort = seenLength(reason) < REASON_MIN;
  const command = useCommand(
    (given: Given, key) => send(name, person.id, given, key),
    () => {
      drop();
      onClose();
      toast({ title: action.done });
      void client.invalidateQueries(readsOf(['GET /api/admin/people', 'GET /api/admin/people/:userId']));
    },
  );
  const held = offline ?? (isShort ? m.people_say_why() : missing(name, draft, person));
  return (
    <form
      className={action.isGrave ? 'form-stack person-form person-form--grave' : 'form-stack person-form'}
      aria-labelledby={title}
      onSubmit={(event) => {
        event.preventDefault();
        if (held === null && !command.isPending) command.mutate({ ...draft, reason });
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <h3 id={title}>{action.title}</h3>
      <TextArea
        label={m.people_reason()}
        hint={name === 'suspend' ? m.people_reason_read({ who: person.displayName }) : m.people_reason_kept()}
        autoFocus
        rows={3}
        maxLength={DECISION_REASON_MAX}
        value={draft.reason}
        onValue={(text) => change({ reason: text })}
      />
      {name === 'suspend' && (
        <Select
          label={m.people_until()}
          options={(Object.keys(ENDS) as End[]).map((value) => ({ value, label: END_WORDS[value]() }))}
          value={draft.end}
          onValue={(end) => change({ end })}
        />
      )}
      {name === 'role' && (
        <Select
          label={m.people_role_new()}
          options={ROLES.map((value) => ({ value, label: ROLE_WORDS[value]() }))}
          value={draft.role}
          onValue={(role) => change({ role })}
        />
      )}
      {name === 'link' && <XLinkFields draft={draft} onChange={change} />}
      {name === 'erase' && (
        <Field
          label={m.data_erase_word({ word: ERASE_WORD })}
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          value={draft.word}
          onValue={(word) => change({ word })}
        />
      )}
      <WhatHappens>{action.happens}</WhatHappens>
      <Refused error={command.error} />
      <div className="actions">
        <Button type="submit" kind={action.isGrave ? 'no' : 'edge'} busy={command.isPending} disabledReason={held}>
          {name === 'suspend' ? m.people_suspend_act({ end: END_WORDS[draft.end]() }) : action.title}
        </Button>
        <Button kind="words" onClick={onClose}>
          {m.leader_cancel()}
        </Button>
      </div>
    </form>
  );
}

/** What is still missing besides the reason. */
function missing(name: Name, { role, word, handle, evidence }: Given, person: PersonDetail): string | null {
  if (name === 'link') return missingOfLink({ handle, evidence });
  if (name === 'role' && role === person.role) return m.people_same_role();
  const isWord = word.trim().toUpperCase() === ERASE_WORD;
  return name === 'erase' && !isWord ? m.data_erase_type_first({ word: ERASE_WORD }) : null;
}

function WhatHappens({ children }: { children: readonly string[] }) {
  return (
    <div>
      <p className="text-small">
        <b>{m.people_what_happens()}</b>
      </p>
      <ul className="person-happens text-small">
        {children.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  );
}
