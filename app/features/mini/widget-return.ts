export type WidgetReturn = { state: string; result: string };

/** The login widget's data after `#` (telegram-widget.js); null without any. */
export function readWidgetReturn(search: string, hash: string): WidgetReturn | null {
  const state = new URLSearchParams(search).get('state');
  const result = /[#?&]tgAuthResult=([\w-]+={0,2})$/.exec(hash)?.[1];
  return state && result ? { state, result } : null;
}
