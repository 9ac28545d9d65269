import './partnerships.css';
import { useEffect } from 'react';
import { PARTNERSHIP_RETENTION_DAYS } from '../../../server/contract/desk-limits.ts';
import { product } from '../../lib/product.ts';
import { useUser } from '../../lib/query.ts';
import { m } from '../../paraglide/messages.js';
import { Anchor } from '../../ui/button.tsx';
import { Card, SectionHead } from '../../ui/card.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Screen } from '../../ui/screen.tsx';
import { sendWhenPossible } from './queue.ts';
import { RequestForm } from './request-form.tsx';
import { OwnRequests, VisitorRequests } from './requests.tsx';

const OFFERS: readonly { icon: IconName; title: () => string; line: () => string }[] = [
  { icon: 'communities', title: m.partner_offer_community, line: m.partner_offer_community_line },
  { icon: 'reward', title: m.partner_offer_reward, line: m.partner_offer_reward_line },
  { icon: 'code', title: m.partner_offer_software, line: m.partner_offer_software_line },
  { icon: 'server', title: m.partner_offer_hosting, line: m.partner_offer_hosting_line },
];

/** `/partnerships`: the offer, a form that works offline and signed out, and the status of requests. */
export function PartnershipsScreen() {
  const user = useUser();
  useEffect(sendWhenPossible, []);
  return (
    <Screen
      title={m.shell_partnerships()}
      lead={m.partner_lead({ product: product.name })}
      aside={
        <>
          <VisitorRequests />
          {user && <OwnRequests />}
          <Card className="partner-aside">
            <h2>{m.partner_next()}</h2>
            <ol className="partner-steps text-small">
              <li>{m.partner_next_1()}</li>
              <li>{m.partner_next_2()}</li>
              <li>{m.partner_next_3()}</li>
            </ol>
            <p className="text-small text-muted">{m.partner_kept({ days: PARTNERSHIP_RETENTION_DAYS })}</p>
            <Anchor className="text-link touch-target partner-link" to="/privacy-policy">
              {m.partner_privacy()}
            </Anchor>
          </Card>
        </>
      }
    >
      <SectionHead title={m.partner_offers()} />
      <ul className="partner-offers">
        {OFFERS.map(({ icon, title, line }) => (
          <li key={icon} className="card">
            <Icon name={icon} size={24} />
            <h3>{title()}</h3>
            <p className="text-small text-muted">{line()}</p>
          </li>
        ))}
      </ul>
      <p className="partner-never">
        <b>{m.partner_never()}</b> {m.partner_never_line()}
      </p>
      <SectionHead title={m.partner_form()} />
      <Card>
        <RequestForm />
      </Card>
    </Screen>
  );
}
