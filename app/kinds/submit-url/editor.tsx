import { useState } from 'react';
import { URL_HOSTS_MAX } from '../../../server/contract/limits.ts';
import { listing, number } from '../../lib/format.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts, ReviewedProps } from '../kind.ts';
import { AnswerLink, Written } from '../reviewed.tsx';

export const submitUrlEditor: LeaderParts<'submit_url'> = {
  hint: m.leader_kind_submit_url_hint,
  usualPoints: 30,
  empty: () => ({ kind: 'submit_url', hosts: [] }),
  tidy: (setup) => ({ ...setup, hosts: setup.hosts.map((host) => host.trim().toLowerCase()).filter(Boolean) }),
  preview: (setup) => setup,
  Fields: HostsField,
  Reviewed: SubmitUrlReviewed,
};

/** Holds the typed text, so a separator can be deleted too. */
function HostsField({ setup, onSetup }: FieldsProps<'submit_url'>) {
  const [typed, setTyped] = useState(setup.hosts.join(', '));
  return (
    <Field
      label={m.leader_setup_hosts()}
      hint={m.leader_setup_hosts_hint({ n: number(URL_HOSTS_MAX) })}
      value={typed}
      autoCapitalize="none"
      spellCheck={false}
      onValue={(text) => {
        const hosts = text.split(/[,\s]+/).filter(Boolean);
        if (hosts.length > URL_HOSTS_MAX) return;
        setTyped(text);
        onSetup({ ...setup, hosts });
      }}
    />
  );
}

function SubmitUrlReviewed({ ask, evidence }: ReviewedProps<'submit_url'>) {
  return (
    <>
      <AnswerLink to={evidence.url} />
      {ask.hosts.length > 0 && (
        <p className="text-small text-muted">{m.leader_link_of({ hosts: listing(ask.hosts, 'disjunction') })}</p>
      )}
      {evidence.note && <Written words={evidence.note} />}
    </>
  );
}
