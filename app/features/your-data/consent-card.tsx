import { useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { ButtonLink, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';

/** Something that the member agreed to has changed: what it says is one press away, and nothing is held up meanwhile. */
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
