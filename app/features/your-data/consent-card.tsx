import { useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** A text that the member agreed to has changed: links to it, without blocking anything. */
export function ConsentCard() {
  const [shown, setShown] = useState(true);
  if (!shown) return null;
  return (
    <div className="toast" role="status">
      <Icon name="shield" size={24} />
      <div>
        <h2>{m.data_consent_card()}</h2>
        <p>{m.data_consent_card_line()}</p>
      </div>
      <IconButton icon="close" label={m.shell_dismiss()} onClick={() => setShown(false)} />
      <div className="actions">
        <ButtonLink to="/your-data">{m.data_consent_card_open()}</ButtonLink>
      </div>
    </div>
  );
}
