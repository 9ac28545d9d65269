import '../../ui/contents-list.css';
import '../../ui/prose.css';
import './legal-screen.css';
import { POLICIES, type PolicyVersion, versionOf } from '../../../server/contract/policies.ts';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { getLocale } from '../../paraglide/runtime.js';
import { Anchor } from '../../ui/button.tsx';
import { Contents, Dots, Section } from '../../ui/prose.tsx';
import { Screen } from '../../ui/screen.tsx';
import { type LegalPage, type PolicyContext, policies } from './policies.ts';
import { Changes } from './policy-changes.tsx';

const PATHS = {
  guidelines: '/community-guidelines',
  privacy: '/privacy-policy',
  terms: '/terms',
  cookies: '/cookie-policy',
} as const satisfies Record<LegalPage, string>;
const PAGES = ['guidelines', 'privacy', 'terms', 'cookies'] as const;

/** A policy: dated, versioned, and true of this software. */
export function LegalScreen({ page }: { page: LegalPage }) {
  const { host, protocol } = globalThis.location;
  const context: PolicyContext = { product: product.name, host, isSecure: protocol === 'https:' };
  const policy = policies[page](context);
  const versions: readonly PolicyVersion[] = POLICIES[page];
  const inForce = versionOf(page);
  const before = versions.at(-2);
  const parts = policy.parts.map((part, index) => ({ id: `part-${index + 1}`, ...part }));
  const since = new Intl.DateTimeFormat(getLocale(), { dateStyle: 'long', timeZone: 'UTC' });
  const names: Record<LegalPage, string> = {
    guidelines: m.public_guidelines(),
    privacy: m.shell_privacy(),
    terms: m.shell_terms(),
    cookies: m.shell_cookies(),
  };
  return (
    <Screen title={policy.title} lead={policy.lead} contents={<Contents parts={parts} />}>
      <div className="reading">
        <p className="text-small text-muted">
          {m.public_legal_date({ date: since.format(new Date(inForce.since)), version: inForce.version })}
        </p>
        {before && <Changes key={page} page={page} before={before.version} now={inForce.version} context={context} />}
        {parts.map((part) => (
          <Section key={part.id} id={part.id} title={part.title}>
            {part.paragraphs?.map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
            {part.lines && <Dots lines={part.lines} />}
            {part.facts && (
              <dl className="reading-facts">
                {part.facts.map((fact) => (
                  <div key={fact.name}>
                    <dt>{fact.code ? <code>{fact.name}</code> : fact.name}</dt>
                    <dd>{fact.what}</dd>
                    {fact.more.map((line) => (
                      <dd key={line}>{line}</dd>
                    ))}
                  </div>
                ))}
              </dl>
            )}
          </Section>
        ))}
        <Section id="contact" title={m.public_legal_contact_h()}>
          <p>{m.public_legal_contact()}</p>
        </Section>
        <nav className="contents-list" aria-label={m.public_legal_others()}>
          {PAGES.map((other) => (
            <Anchor key={other} to={PATHS[other]} {...(other === page && { 'aria-current': 'page' as const })}>
              {names[other]}
            </Anchor>
          ))}
        </nav>
      </div>
    </Screen>
  );
}
