import { useEffect } from 'react';
import { isDemo } from '../../lib/browser.ts';
import { product } from '../../lib/product.ts';
import { useSearch } from '../../lib/search.ts';
import { m } from '../../paraglide/messages.js';
import { ButtonLink } from '../../ui/button.tsx';
import { Screen } from '../../ui/screen.tsx';
import { State } from '../../ui/states.tsx';

/**
 * What the demo is: drawn at the build, for as long as its program is on its way and for whoever lets no script run. Once
 * it runs, the page for what it has not. Anywhere else `/demo` is another document, which is begun: in this one the member's
 * own things are at hand.
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
