import { LINK_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { whenWord } from '../../shared/tasks/words.ts';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts, ReviewedProps } from '../kind.ts';
import { AnswerLink } from '../reviewed.tsx';

export const visitLinkEditor: LeaderParts<'visit_link'> = {
  hint: m.leader_kind_visit_link_hint,
  usualPoints: 5,
  empty: () => ({ kind: 'visit_link', url: '' }),
  problems: ({ url }) => (isLink(url.trim()) ? [] : ['link']),
  tidy: (setup) => ({ ...setup, url: setup.url.trim() }),
  preview: (setup) => setup,
  Fields: VisitLinkFields,
  Reviewed: VisitLinkReviewed,
};

const isLink = (text: string): boolean =>
  text.length <= LINK_MAX && URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol);

function VisitLinkFields({ setup, found, onSetup }: FieldsProps<'visit_link'>) {
  return (
    <Field
      label={m.leader_setup_url()}
      hint={m.leader_setup_url_hint()}
      type="url"
      inputMode="url"
      maxLength={LINK_MAX}
      value={setup.url}
      error={found.has('link') ? m.leader_setup_url_wrong() : null}
      onValue={(url) => onSetup({ ...setup, url })}
    />
  );
}

function VisitLinkReviewed({ ask, evidence }: ReviewedProps<'visit_link'>) {
  return (
    <>
      <AnswerLink to={ask.url} />
      <p className="text-small">{m.leader_link_opened({ when: whenWord(evidence.openedAt) })}</p>
    </>
  );
}
