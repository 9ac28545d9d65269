import { LINK_MAX } from '../../../../server/contract/limits.ts';
import { X_HANDLE } from '../../../../server/contract/x-post.ts';
import { call } from '../../../lib/http.ts';
import { m } from '../../../paraglide/messages.js';
import { Field } from '../../../ui/field.tsx';
import type { DeskAction } from '../desk-actions.tsx';

const handleIn = (text: string): string => text.trim().replace(/^@/, '');

/** Links an X account, with the place of its evidence. */
export const linkOf = (userId: string, who: string): DeskAction<{ handle: string; evidence: string }> => ({
  name: 'link',
  icon: 'link',
  title: m.xtask_desk_link(),
  line: m.xtask_desk_link_line(),
  hint: m.people_reason_kept(),
  happens: [m.xtask_desk_link_1(), m.xtask_desk_link_2()],
  done: () => m.xtask_desk_link_done({ who }),
  more: { handle: '', evidence: '' },
  blocked: ({ handle, evidence }) =>
    X_HANDLE.test(handleIn(handle)) && /^https?:\/\/./.test(evidence.trim()) ? null : m.xtask_desk_link_first(),
  fields: (form) => (
    <>
      <Field
        label={m.xtask_desk_link_handle()}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        {...form.field('handle')}
      />
      <Field
        label={m.xtask_desk_link_evidence()}
        hint={m.xtask_desk_link_evidence_hint()}
        type="url"
        inputMode="url"
        maxLength={LINK_MAX}
        {...form.field('evidence')}
      />
    </>
  ),
  run: ({ handle, evidence, reason }, idempotencyKey) =>
    call('POST /api/admin/people/:userId/x-link', {
      params: { userId },
      body: { handle: handleIn(handle), evidence: evidence.trim(), reason },
      idempotencyKey,
    }),
});
