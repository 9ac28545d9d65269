/**
 * Stands in the place of `app/lib/device.ts` where a screen is drawn: nothing waits, whatever is sent is stored, and nothing
 * is ever told. A test that looks at one of these puts its own beside it.
 */
const NONE: never[] = [];
const silent = () => () => undefined;

export const device = {};
export const useOutbox = () => NONE;
export const onDelivered = silent;
export const onDeliveries = silent;
export const onDeviceEvent = silent;
export const holdsCommands = () => false;
export const enqueue = async () => 'entry-1';
export const discardEntry = async () => true;
export const retryEntry = async () => undefined;
