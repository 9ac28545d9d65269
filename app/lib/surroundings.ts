import { m } from '../paraglide/messages.js';

/** People call wide screens computers (look: "Device word"). */
export const deviceWord = (): string =>
  globalThis.matchMedia?.('(min-width: 900px)').matches ? m.public_device_computer() : m.public_device_phone();
