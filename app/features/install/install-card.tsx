import './install-card.css';
import { useEffect } from 'react';
import { call } from '../../lib/http.ts';
import { product } from '../../lib/product.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/icon.tsx';
import { dismissInstall, install, useInstallOffer } from './install.ts';

/** The instance counts installs by day, without naming anyone. Failed reports are not counted. */
const reportInstalled = () => void call('POST /api/pwa/installs', {}).catch(() => undefined);

/** Offers installation: by the browser's prompt, or with instructions; once a session. */
export function InstallCard() {
  const offer = useInstallOffer();
  useEffect(() => {
    addEventListener('appinstalled', reportInstalled);
    return () => removeEventListener('appinstalled', reportInstalled);
  }, []);
  if (offer === 'none') return null;
  const title = m.shell_install_title({ product: product.name });
  return (
    <section className="install-card" aria-label={title}>
      <div className="flex-row install-card__head">
        <Logo size={44} />
        <div className="flex-grow">
          <h2>{title}</h2>
          <p className="text-small">{m.shell_install_line()}</p>
        </div>
      </div>
      {offer === 'ios' && (
        <ol className="install-card__steps text-small">
          <li>{m.shell_install_ios_share()}</li>
          <li>{m.shell_install_ios_add()}</li>
          <li>{m.shell_install_ios_confirm()}</li>
        </ol>
      )}
      <div className="actions">
        {offer === 'prompt' && (
          <Button kind="cross" icon="install" onClick={() => void install()}>
            {m.shell_install()}
          </Button>
        )}
        <Button kind="words" onClick={dismissInstall}>
          {m.shell_install_not_now()}
        </Button>
      </div>
    </section>
  );
}
