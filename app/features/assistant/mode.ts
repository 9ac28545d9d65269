import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { languageModel, local } from '../../lib/browser.ts';
import { useOnline } from '../../lib/online.ts';
import { read } from '../../lib/query.ts';

/** Who answers: the instance's model, the browser's, or none: then passages are quoted. */
export type Mode = 'server' | 'browser' | 'quotes';
type Availability = 'unavailable' | 'downloadable' | 'downloading' | 'available';
export type Modes = {
  mode: Mode;
  /** Whether the instance has a model, and how many of today's questions are left. */
  server: { perDay: number; left: number } | null;
  browser: Availability;
  /** The member has chosen that no question leaves this device. */
  isHereOnly: boolean;
  stayHere: (only: boolean) => void;
  /** Lets the browser download its model, which may take minutes. */
  fetchModel: () => Promise<void>;
};

const HERE_ONLY = 'muster-assistant-here';

/** Detected by feature, again whenever the connection or the browser's model changes. */
export function useModes(): Modes {
  const state = useQuery(read('GET /api/assistant'));
  const online = useOnline();
  const [browser, setBrowser] = useState<Availability>('unavailable');
  const [isHereOnly, setHereOnly] = useState(() => local.get(HERE_ONLY) === '1');
  const look = useCallback(async () => {
    const found = await languageModel()
      ?.availability()
      .catch(() => 'unavailable' as const);
    setBrowser(found ?? 'unavailable');
  }, []);
  useEffect(() => void look(), [look]);
  const server = state.data?.hasModel ? { perDay: state.data.perDay, left: state.data.left } : null;
  const isServer = server !== null && online && server.left > 0 && !isHereOnly;
  return {
    mode: isServer ? 'server' : browser === 'available' ? 'browser' : 'quotes',
    server,
    browser,
    isHereOnly,
    stayHere: (only) => {
      local.set(HERE_ONLY, only ? '1' : null);
      setHereOnly(only);
    },
    fetchModel: async () => {
      setBrowser('downloading');
      const session = await languageModel()
        ?.create({ initialPrompts: [{ role: 'system', content: 'Answer briefly.' }] })
        .catch(() => null);
      session?.destroy();
      await look();
    },
  };
}
