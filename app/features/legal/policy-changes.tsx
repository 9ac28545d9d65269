import './policy-changes.css';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Reading } from '../../ui/states.tsx';
import { type LegalPage, type PlainPart, type PolicyContext, plain, policies } from './policies.ts';
import { type DiffLine, diffPolicy } from './policy-diff.ts';

/** Earlier texts, with tokens for the operator's details; each loads when its changes are opened. */
const archive = import.meta.glob<PlainPart[]>('./versions/*.json', { import: 'default' });
const TOKENS: PolicyContext = { product: '{product}', host: '{host}', isSecure: true };

async function loadVersion(page: LegalPage, version: string): Promise<PlainPart[]> {
  const load = archive[`./versions/${page}-${version}.json`];
  if (!load) throw new Error(`${page} ${version} is not archived`);
  return load();
}

/** Changes since the previous version, collapsed; a link to `#changes` opens them. */
export function Changes(props: { page: LegalPage; before: string; now: string; context: PolicyContext }) {
  const { hash } = useLocation();
  const [isOpen, setOpen] = useState(false);
  // Pre-rendering knows no fragment, so it opens on mount.
  useEffect(() => {
    if (hash === 'changes') setOpen(true);
  }, [hash]);
  return (
    <details
      id="changes"
      className="policy-changes"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{m.data_diff({ version: props.before })}</summary>
      {isOpen && <Diff {...props} />}
    </details>
  );
}

function Diff({
  page,
  before,
  now,
  context,
}: {
  page: LegalPage;
  before: string;
  now: string;
  context: PolicyContext;
}) {
  const query = useQuery({
    queryKey: ['policy', page, before],
    queryFn: () => loadVersion(page, before),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const named = (text: string) => text.replaceAll('{product}', context.product).replaceAll('{host}', context.host);
  return (
    <Reading query={query}>
      {(old) => (
        <div className="policy-diff">
          <p className="text-small text-muted">{m.data_diff_moved_legend()}</p>
          {diffPolicy(old, plain(policies[page](TOKENS))).map(({ title, lines }) => (
            <section key={title} aria-label={title}>
              <h3>{title}</h3>
              {lines.map((line) => (
                <Line key={`${line.kind} ${line.text}`} line={line} versions={{ before, now }}>
                  {named(line.text)}
                </Line>
              ))}
            </section>
          ))}
        </div>
      )}
    </Reading>
  );
}

function Line(props: { line: DiffLine; versions: { before: string; now: string }; children: string }) {
  const { line, versions, children } = props;
  if (line.kind === 'same') return <p data-sign=" ">{children}</p>;
  const isAdded = line.kind === 'added';
  const label = isAdded
    ? m.data_diff_added({ version: versions.now })
    : m.data_diff_removed({ version: versions.before });
  return (
    <p data-sign={isAdded ? '+' : '−'}>
      <span>
        <span className="visually-hidden">{label}: </span>
        {isAdded ? <ins>{children}</ins> : <del>{children}</del>}
      </span>
    </p>
  );
}
