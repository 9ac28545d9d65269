import './settings-screen.css';
import { useEffect, useState } from 'react';
import { refusable } from '../../../worker/browser.ts';
import { bytesWord } from '../../lib/bytes.ts';
import { number } from '../../lib/format.ts';
import { deviceWord } from '../../lib/surroundings.ts';
import { useUnsent } from '../../lib/unsent.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { install, isInstalled, useInstallOffer } from '../install/install.ts';

/** The browser's storage estimate; null when unknown. */
type StorageFacts = { bytes: number | null; isPersisted: boolean | null };

async function storageFacts(): Promise<StorageFacts> {
  const ask = async <T,>(query: () => Promise<T>): Promise<T | null> =>
    (await refusable(query)?.catch(() => null)) ?? null;
  const [estimate, isPersisted] = await Promise.all([
    ask(() => navigator.storage.estimate()),
    ask(() => navigator.storage.persisted()),
  ]);
  return { bytes: estimate?.usage ?? null, isPersisted };
}

/** This device: installation, storage used, and unsent commands. */
export function Device() {
  const unsent = useUnsent().length;
  const offer = useInstallOffer();
  const [facts, setFacts] = useState<StorageFacts | null>(null);
  const device = deviceWord();
  useEffect(() => {
    let isOver = false;
    void storageFacts().then((found) => !isOver && setFacts(found));
    return () => {
      isOver = true;
    };
  }, []);
  return (
    <div className="stack-medium">
      <p>{m.settings_device_lead({ today: m.shell_today(), device })}</p>
      <Card className="card--rows">
        <dl className="ruled-list settings__facts">
          <div>
            <dt>{m.settings_device({ device })}</dt>
            <dd className="text-muted">{isInstalled() ? m.settings_device_installed() : m.settings_device_tab()}</dd>
          </div>
          <div>
            <dt>{m.settings_device_saved()}</dt>
            <dd className="text-muted">
              {facts && (facts.bytes === null ? m.settings_device_saved_unknown() : bytesWord(facts.bytes))}
            </dd>
          </div>
          <div>
            <dt>{m.settings_device_kept()}</dt>
            <dd className="text-muted">
              {facts && (facts.isPersisted ? m.settings_device_kept_yes() : m.settings_device_kept_no())}
            </dd>
          </div>
          <div>
            <dt>{m.settings_device_unsent()}</dt>
            <dd className="text-muted numeric">{number(unsent)}</dd>
          </div>
        </dl>
      </Card>
      {!isInstalled() &&
        (offer === 'prompt' ? (
          <div className="actions">
            <Button kind="edge" icon="install" onClick={() => void install()}>
              {m.shell_install()}
            </Button>
          </div>
        ) : (
          <p className="flex-row text-small text-muted">
            <Icon name="install" />
            <span>{m.settings_device_how()}</span>
          </p>
        ))}
    </div>
  );
}
