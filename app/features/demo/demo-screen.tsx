import { useEffect } from 'react';
import { isDemo } from '../../lib/browser.ts';
import { product } from '../../lib/product.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { State } from '../../ui/states.tsx';

/**
 * Describes the demo: pre-rendered for the time until its code has loaded, and for browsers without scripts. In the
 * running demo, it is the page for what the demo lacks. From elsewhere, `/demo` loads as a new document, because this
 * one can reach the member's own data.
 */
export function DemoScreen() {
  useEffect(() => {
    if (!isDemo) location.assign('/demo');
  }, []);
  return isDemo ? <NotHere /> : <About />;
}

function About() {
  return (
    <Screen title={m.public_demo_title()} lead={m.public_demo_lead({ product: product.name })}>
      <Contents />
    </Screen>
  );
}

function Contents() {
  return (
    <>
      <p>{m.public_demo_in()}</p>
      <p className="text-muted">{m.public_demo_not()}</p>
    </>
  );
}

function NotHere() {
  const [{ page }] = useSearch('/demo');
  return (
    <Screen title={m.public_demo_missing()}>
      <State
        illustration="gate"
        title={m.public_demo_missing_title()}
        actions={<ButtonLink to="/">{m.public_demo_back()}</ButtonLink>}
        note={page}
      >
        <Contents />
      </State>
    </Screen>
  );
}
