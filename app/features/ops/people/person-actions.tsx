import { useQueryClient } from '@tanstack/react-query';
import type { PersonDetail } from '../../../../server/contract/people.ts';
import { ERASURE_WAIT_DAYS } from '../../../../server/contract/person-limits.ts';
import { day } from '../../../lib/format.ts';
import { addressOf, call, request } from '../../../lib/http.ts';
import { readsOf } from '../../../lib/query-keys.ts';
import { saveFile } from '../../../lib/save-file.ts';
import { m } from '../../../paraglide/messages.js';
import { Field, Select } from '../../../ui/field.tsx';
import { type DeskAction, DeskActions } from '../desk-actions.tsx';
import { type End, endField, untilOf } from '../ends.tsx';
import { linkOf } from './x-link-fields.tsx';

/** Target of the page's header link. */
export const ACTIONS_ID = 'person-actions';

const ROLES = ['member', 'ops', 'admin'] as const;
type Role = (typeof ROLES)[number];
const ROLE_WORDS: Record<Role, () => string> = { member: m.people_member, ops: m.people_ops, admin: m.people_admin };

/** As `ERASE_WORD` of the contract. */
const ERASE_WORD = 'ERASE';

function actionsFor(person: PersonDetail, isOwn: boolean): DeskAction[] {
  const who = person.displayName;
  const sessions = person.sessions.length;
  const params = { userId: person.id };
  const hint = m.people_reason_kept();
  const signOut: DeskAction = {
    name: 'sign-out',
    icon: 'sign-out',
    title: m.people_sign_out(),
    line: m.people_sign_out_line({ count: sessions, n: sessions }),
    hint,
    happens: [m.people_sign_out_1(), m.people_sign_out_2()],
    done: () => m.people_sign_out_done({ who }),
    run: (body, idempotencyKey) => call('POST /api/admin/people/:userId/sign-out', { params, body, idempotencyKey }),
  };
  // Only another administrator may decide about an administrator.
  if (isOwn) return [signOut];
  const archive: DeskAction = {
    name: 'archive',
    icon: 'export',
    title: m.people_archive(),
    line: m.people_archive_line(),
    hint,
    happens: [m.people_archive_1(), m.people_archive_2()],
    done: () => m.people_archive_done(),
    run: ({ reason }) => saveArchive(person.id, reason),
  };
  if (person.erasure) {
    const keepAccount: DeskAction = {
      name: 'keep',
      icon: 'undo',
      title: m.people_keep(),
      line: m.people_keep_line({ day: day(person.erasure.dueAt) }),
      hint,
      happens: [m.people_keep_1()],
      done: () => m.people_keep_done({ who }),
      run: (body, idempotencyKey) =>
        call('POST /api/admin/people/:userId/erasure-cancellation', { params, body, idempotencyKey }),
    };
    // No other action on an account that is to be erased.
    return [keepAccount, archive];
  }
  const restore: DeskAction = {
    name: 'restore',
    icon: 'retry',
    title: m.people_restore(),
    line: m.people_restore_line(),
    hint,
    happens: [m.people_restore_1()],
    done: () => m.people_restore_done({ who }),
    run: (body, idempotencyKey) => call('POST /api/admin/people/:userId/restoration', { params, body, idempotencyKey }),
  };
  const verify: DeskAction = {
    name: 'verify',
    icon: 'check',
    title: m.people_verify(),
    line: m.people_verify_line(),
    hint,
    happens: [m.people_verify_1()],
    done: () => m.people_verify_done({ who }),
    run: ({ reason }, idempotencyKey) =>
      call('POST /api/admin/people/:userId/x', { params, body: { decision: 'verify', reason }, idempotencyKey }),
  };
  const unlink: DeskAction = {
    name: 'unlink',
    icon: 'link',
    title: m.people_unlink(),
    line: m.people_unlink_line({ name: person.twitterUsername ?? '' }),
    hint,
    happens: [m.people_unlink_1(), m.people_unlink_2()],
    done: () => m.people_unlink_done({ who }),
    isGrave: true,
    run: ({ reason }, idempotencyKey) =>
      call('POST /api/admin/people/:userId/x', { params, body: { decision: 'unlink', reason }, idempotencyKey }),
  };
  return [
    ...(person.suspension ? [restore] : []),
    suspendOf(person),
    signOut,
    ...(person.isVerified ? [] : [verify]),
    linkOf(person.id, who),
    ...(person.twitterUsername ? [unlink] : []),
    roleOf(person),
    archive,
    eraseOf(person),
  ];
}

const suspendOf = ({ id, displayName: who, suspension }: PersonDetail): DeskAction<{ end: End }> => ({
  name: 'suspend',
  icon: 'warning',
  title: suspension ? m.people_resuspend() : m.people_suspend(),
  line: m.people_suspend_line(),
  hint: m.people_reason_read({ who }),
  happens: [m.people_suspend_1(), m.people_suspend_2(), m.people_suspend_3(), m.people_suspend_4()],
  done: () => m.people_suspend_done({ who }),
  isGrave: true,
  ...endField,
  run: ({ reason, end }, idempotencyKey) =>
    call('POST /api/admin/people/:userId/suspension', {
      params: { userId: id },
      body: { reason, until: untilOf(end) },
      idempotencyKey,
    }),
});

const roleOf = ({ id, displayName: who, role }: PersonDetail): DeskAction<{ role: Role }> => ({
  name: 'role',
  icon: 'you',
  title: m.people_role(),
  line: ROLE_WORDS[role](),
  hint: m.people_reason_kept(),
  happens: [m.people_role_1(), m.people_role_2()],
  done: () => m.people_role_done({ who }),
  more: { role },
  blocked: (values) => (values.role === role ? m.people_same_role() : null),
  fields: (form) => (
    <Select
      label={m.people_role_new()}
      options={ROLES.map((value) => ({ value, label: ROLE_WORDS[value]() }))}
      {...form.field('role')}
    />
  ),
  run: (body, idempotencyKey) =>
    call('PUT /api/admin/people/:userId/role', { params: { userId: id }, body, idempotencyKey }),
});

const eraseOf = ({ id, displayName: who }: PersonDetail): DeskAction<{ word: string }> => ({
  name: 'erase',
  icon: 'discard',
  title: m.people_erase(),
  line: m.people_erase_line({ days: ERASURE_WAIT_DAYS }),
  hint: m.people_reason_kept(),
  happens: [m.people_erase_1(), m.people_erase_2({ days: ERASURE_WAIT_DAYS }), m.people_erase_3(), m.people_erase_4()],
  done: () => m.people_erase_done({ who, days: ERASURE_WAIT_DAYS }),
  isGrave: true,
  more: { word: '' },
  blocked: ({ word }) =>
    word.trim().toUpperCase() === ERASE_WORD ? null : m.data_erase_type_first({ word: ERASE_WORD }),
  fields: (form) => (
    <Field
      label={m.data_erase_word({ word: ERASE_WORD })}
      autoComplete="off"
      spellCheck={false}
      maxLength={20}
      {...form.field('word')}
    />
  ),
  run: ({ reason }, idempotencyKey) =>
    call('POST /api/admin/people/:userId/erasure', {
      params: { userId: id },
      body: { word: ERASE_WORD, reason },
      idempotencyKey,
    }),
});

/** Fetches a person's archive and saves it. */
async function saveArchive(userId: string, reason: string): Promise<void> {
  const { method, path } = addressOf('POST /api/admin/people/:userId/archive', { userId });
  const answer = await request(method, path, { reason });
  saveFile(await answer.blob(), `muster-${userId}.zip`);
}

/** Actions on an account. */
export function PersonActions({ person, isOwn }: { person: PersonDetail; isOwn: boolean }) {
  const client = useQueryClient();
  return (
    <DeskActions
      id={ACTIONS_ID}
      about={`person:${person.id}`}
      actions={actionsFor(person, isOwn)}
      onDone={() => void client.invalidateQueries(readsOf(['GET /api/admin/people', 'GET /api/admin/people/:userId']))}
      note={isOwn ? m.people_own() : null}
    />
  );
}
