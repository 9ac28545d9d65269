import { PARTNER_ASKS_MAX, WEBHOOK_URL_MAX } from '../../../server/contract/limits.ts';
import { m } from '../../paraglide/messages.js';
import { Field } from '../../ui/field.tsx';
import type { FieldsProps, LeaderParts } from '../kind.ts';

export const partnerEditor: LeaderParts<'partner'> = {
  hint: m.kinds_hint_partner,
  usualPoints: 50,
  isSigned: true,
  empty: () => ({ kind: 'partner', url: 'https://', asks: '' }),
  problems: ({ url }) => (isPartner(url.trim()) ? [] : ['partner_url']),
  tidy: (setup) => ({ ...setup, url: setup.url.trim(), asks: setup.asks.trim() }),
  preview: ({ kind, url, asks }) => ({ kind, host: URL.canParse(url) ? new URL(url).host : '', asks }),
  Fields: PartnerFields,
};

function isPartner(text: string): boolean {
  if (text.length > WEBHOOK_URL_MAX || !URL.canParse(text)) return false;
  const { protocol, port, hostname } = new URL(text);
  return protocol === 'https:' && port === '' && hostname.includes('.');
}

function PartnerFields({ setup, found, onSetup }: FieldsProps<'partner'>) {
  return (
    <>
      <Field
        type="url"
        inputMode="url"
        label={m.kinds_edit_url()}
        hint={m.kinds_edit_url_hint()}
        error={found.has('partner_url') ? m.kinds_edit_url_wrong() : null}
        maxLength={WEBHOOK_URL_MAX}
        autoCapitalize="none"
        spellCheck={false}
        value={setup.url}
        onValue={(url) => onSetup({ ...setup, url })}
      />
      <Field
        label={m.kinds_edit_asks()}
        hint={m.kinds_edit_asks_hint()}
        maxLength={PARTNER_ASKS_MAX}
        value={setup.asks}
        onValue={(asks) => onSetup({ ...setup, asks })}
      />
    </>
  );
}
