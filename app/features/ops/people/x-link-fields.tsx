import { LINK_MAX } from '../../../../server/contract/limits.ts';
import { X_HANDLE } from '../../../../server/contract/x-post.ts';
import { m } from '../../../paraglide/messages.js';
import { Field } from '../../../ui/field.tsx';

/** The X account that an administrator links, and its evidence, as typed. */
export type XLinkGiven = { handle: string; evidence: string };

/** The values as they are sent. */
export const linkGiven = ({ handle, evidence }: XLinkGiven): XLinkGiven => ({
  handle: handle.trim().replace(/^@/, ''),
  evidence: evidence.trim(),
});

export function missingOfLink(typed: XLinkGiven): string | null {
  const { handle, evidence } = linkGiven(typed);
  return X_HANDLE.test(handle) && /^https?:\/\/./.test(evidence) ? null : m.xtask_desk_link_first();
}

export const linkWords = (who: string) => ({
  title: m.xtask_desk_link(),
  line: m.xtask_desk_link_line(),
  happens: [m.xtask_desk_link_1(), m.xtask_desk_link_2()],
  done: m.xtask_desk_link_done({ who }),
});

export function XLinkFields({ draft, onChange }: { draft: XLinkGiven; onChange: (part: Partial<XLinkGiven>) => void }) {
  return (
    <>
      <Field
        label={m.xtask_desk_link_handle()}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={40}
        value={draft.handle}
        onValue={(handle) => onChange({ handle })}
      />
      <Field
        label={m.xtask_desk_link_evidence()}
        hint={m.xtask_desk_link_evidence_hint()}
        type="url"
        inputMode="url"
        maxLength={LINK_MAX}
        value={draft.evidence}
        onValue={(evidence) => onChange({ evidence })}
      />
    </>
  );
}
