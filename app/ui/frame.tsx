import { createContext, type ReactNode } from 'react';

/** What the shell passes to its screen: the outbox chip sits in the screen's bar on phones. */
export const FrameContext = createContext<{ chip: ReactNode }>({ chip: null });
