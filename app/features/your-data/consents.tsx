import './consents.css';
import { useQueryClient } from '@tanstack/react-query';
import type { Consent, OwnData } from '../../../server/contract/person-data.ts';
import type { AgreedTo } from '../../../server/contract/policies.ts';
import { day, stampTime } from '../../lib/format.ts';
import { call } from '../../lib/http.ts';
import { read } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { CommandButton, Refused } from '../../shared/commands/command-parts.tsx';
import { useCommand } from '../../shared/commands/use-command.ts';
import { Anchor } from '../../ui/button.tsx';
import { Card, Chip } from '../../ui/card.tsx';
import { toast } from '../../ui/toast.tsx';

export const ownData = read('GET /api/user/data');

const NAMES: Record<AgreedTo, () => string> = { terms: m.shell_terms, privacy: m.shell_privacy };
const PATHS = { terms: '/terms', privacy: '/privacy-policy' } as const satisfies Record<AgreedTo, string>;

/** What the member agreed to and when; new versions with their button and a link to the changes. */
export function Consents({ data: { consents } }: { data: OwnData }) {
  const client = useQueryClient();
  const pending = consents.filter(({ isAsked }) => isAsked);
  const agree = useCommand(
    (agreed: { document: AgreedTo; version: string }[], idempotencyKey) =>
      call('POST /api/user/consents', { body: { agreed }, idempotencyKey }),
    (next: OwnData) => {
      client.setQueryData(ownData.queryKey, next);
      toast({ icon: 'check', title: m.data_agreed_done() });
    },
  );
  return (
    <Card className="stack-medium">
      <ul className="ruled-list">
        {consents.map((consent) => (
          <li key={consent.document} className="consent">
            <div>
              <Anchor to={PATHS[consent.document]}>
                <b>{NAMES[consent.document]()}</b>
              </Anchor>
              <p className="text-small text-muted">{lineOf(consent)}</p>
              {consent.isAsked && consent.agreed && (
                <Anchor className="text-small" to={PATHS[consent.document]} hash="changes">
                  {m.data_consent_changes()}
                </Anchor>
              )}
            </div>
            {consent.isAsked ? (
              <Chip kind="cross">{m.data_consent_open()}</Chip>
            ) : (
              <Chip kind="ink" icon="check">
                {m.data_consent_given()}
              </Chip>
            )}
          </li>
        ))}
      </ul>
      {pending.length > 0 && (
        <>
          <p className="text-small text-muted">{m.data_consent_why()}</p>
          <Refused error={agree.error} />
          <div className="actions">
            <CommandButton
              command={agree}
              icon="check"
              body={pending.map(({ document, version }) => ({ document, version }))}
            >
              {m.data_agree({ what: pending.map(({ document }) => NAMES[document]()).join(m.data_and()) })}
            </CommandButton>
          </div>
        </>
      )}
    </Card>
  );
}

function lineOf({ version, since, agreed, isAsked }: Consent): string {
  const inForce = m.data_consent_version({ version, date: day(`${since}T00:00:00Z`) });
  if (!agreed) return inForce;
  const given = m.data_consent_agreed({ version: agreed.version, time: stampTime(agreed.at) });
  return isAsked || agreed.version !== version ? `${inForce} · ${given}` : given;
}
