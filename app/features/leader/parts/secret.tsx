import './secret.css';
import { useState } from 'react';
import { copyText } from '../../../lib/browser.ts';
import { m } from '../../../paraglide/messages.js';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A secret that is shown only once, with a button to copy it. */
export function Secret(props: { title: string; line: string; secret: string; onDone: () => void }) {
  const [copied, setCopied] = useState(false);
  async function copy() {
    if (await copyText(props.secret)) setCopied(true);
    else toast({ icon: 'warning', title: m.leader_copy_by_hand() });
  }
  return (
    <Card className="secret-card">
      <h3>{props.title}</h3>
      <p className="text-small">{props.line}</p>
      <output className="break-anywhere secret-card__text">{props.secret}</output>
      <div className="actions">
        <Button icon={copied ? 'check' : 'copy'} onClick={() => void copy()}>
          {copied ? m.leader_secret_copied() : m.leader_secret_copy()}
        </Button>
        <Button kind="words" onClick={props.onDone}>
          {m.leader_secret_kept()}
        </Button>
      </div>
    </Card>
  );
}
