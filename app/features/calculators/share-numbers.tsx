import './calculator.css';
import { useState } from 'react';
import { canShare, copyText, shareUrl } from '../../lib/browser.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { SectionHead } from '../../ui/card.tsx';
import { Field } from '../../ui/field.tsx';

type Outcome = 'none' | 'copied' | 'refused';
const hints = { none: m.calc_share_hint, copied: m.calc_copied, refused: m.calc_copy_by_hand };

/** A link with the numbers, shared or copied. */
export function ShareNumbers({ path, title, query }: { path: string; title: string; query: Record<string, string> }) {
  const link = `${globalThis.location.origin}${path}?${new URLSearchParams(query)}`;
  const [{ of, outcome }, report] = useState<{ of: string; outcome: Outcome }>({ of: link, outcome: 'none' });
  const share = async () => {
    if (canShare() && (await shareUrl(link, title))) return;
    report({ of: link, outcome: (await copyText(link)) ? 'copied' : 'refused' });
  };
  return (
    <section>
      <SectionHead title={m.calc_share()} />
      <div className="calculator__share">
        <Field
          label={m.calc_share_link()}
          hint={<span role="status">{hints[of === link ? outcome : 'none']()}</span>}
          readOnly
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button kind="edge" icon={canShare() ? 'send' : 'copy'} onClick={() => void share()}>
          {canShare() ? m.calc_share_button() : m.calc_copy()}
        </Button>
      </div>
    </section>
  );
}
