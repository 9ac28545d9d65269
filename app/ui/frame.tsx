import { createContext, type ReactNode } from 'react';

/** What the shell gives to the screen inside it: the outbox chip stands in the screen's bar on a phone. */
export const FrameContext = createContext<{ chip: ReactNode }>({ chip: null });
