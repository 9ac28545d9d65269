/**
 * Telegram's client, by its documented events (core.telegram.org/api/web-events, /api/bots/webapps): `postMessage` when
 * it frames this document, else what its web view injects. No script of Telegram's is loaded
 * (docs/decisions/telegram.md).
 */
type Listener = (data: Readonly<Record<string, unknown>>) => void;
export type TelegramClient = {
  /** Sends an event. A client that does not know it ignores it. */
  send(event: string, data?: Record<string, unknown>): void;
  /** Listens; answers the function that ends it. */
  on(event: string, listener: Listener): () => void;
  /** Whether this client supports at least this version. */
  since(version: string): boolean;
};

type Views = {
  TelegramWebviewProxy?: { postEvent(event: string, data: string): void };
  Telegram?: { WebView?: object };
  TelegramGameProxy?: object;
  TelegramGameProxy_receiveEvent?: unknown;
};

export function openClient(version: string): TelegramClient {
  const listeners = new Map<string, Set<Listener>>();
  const receive = (event: unknown, data: unknown) => {
    const given = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
    for (const listener of listeners.get(String(event)) ?? []) listener(given);
  };
  const view = globalThis as Views;
  // The three names that web views have used over the years.
  view.Telegram = { ...view.Telegram, WebView: { ...view.Telegram?.WebView, receiveEvent: receive } };
  view.TelegramGameProxy = { receiveEvent: receive };
  view.TelegramGameProxy_receiveEvent = receive;
  const isFramed = globalThis.parent !== globalThis.self;
  addEventListener('message', ({ source, data }) => {
    // Accepts only the framing document, which `frame-ancestors` limits to Telegram's web clients.
    if (!isFramed || source !== globalThis.parent || typeof data !== 'string') return;
    const message = eventIn(data);
    if (message?.eventType === 'reload_iframe') location.reload();
    else if (message) receive(message.eventType, message.eventData);
  });
  const send = (event: string, data: Record<string, unknown> = {}) => {
    if (view.TelegramWebviewProxy) view.TelegramWebviewProxy.postEvent(event, JSON.stringify(data));
    // No event contains a secret, and only Telegram can be the parent.
    else if (isFramed) globalThis.parent.postMessage(JSON.stringify({ eventType: event, eventData: data }), '*');
  };
  if (isFramed) send('iframe_ready', { reload_supported: true });
  return {
    send,
    on(event, listener) {
      const all = listeners.get(event) ?? new Set<Listener>();
      listeners.set(event, all.add(listener));
      return () => void all.delete(listener);
    },
    since: (least) => isAtLeast(version, least),
  };
}

function eventIn(text: string): { eventType?: unknown; eventData?: unknown } | null {
  try {
    const message: unknown = JSON.parse(text);
    return typeof message === 'object' ? message : null;
  } catch {
    return null;
  }
}

/** Compares versions by number: 7.10 is after 7.9. */
export function isAtLeast(version: string, least: string): boolean {
  const [have, want] = [version, least].map((text) => text.split('.').map(Number));
  for (const [at, number] of (want ?? []).entries()) {
    const ours = have?.[at] ?? 0;
    if (ours !== number) return ours > number;
  }
  return true;
}
