import { escapeHtml } from './pages.ts';

/** Colours of Telegram's own two themes, as its clients send them. */
export const THEMES = {
  light: {
    bg_color: '#ffffff',
    secondary_bg_color: '#f4f4f5',
    text_color: '#000000',
    hint_color: '#707579',
    link_color: '#3390ec',
    button_color: '#0f6f4f',
    button_text_color: '#ffffff',
  },
  dark: {
    bg_color: '#212121',
    secondary_bg_color: '#181818',
    text_color: '#ffffff',
    hint_color: '#aaaaaa',
    link_color: '#8774e1',
    button_color: '#8774e1',
    button_text_color: '#ffffff',
  },
} as const;

const CSS = `
*{box-sizing:border-box}
body{margin:0;height:100dvh;display:grid;grid-template-rows:auto 1fr auto;font:16px/1.4 system-ui,sans-serif;background:#e7ebf0;color:#17212b}
body[data-theme=dark]{background:#0e1621;color:#eef4fa}
header{display:flex;align-items:center;gap:8px;padding:6px 10px}
header b{flex:1}
button{min-height:44px;padding:6px 12px;border:0;border-radius:10px;font:inherit;color:inherit;background:#8882;cursor:pointer}
iframe{width:100%;height:100%;border:0;background:#fff}
footer{padding:8px 10px}
#main{width:100%;font-weight:600}
#link{font-size:14px;overflow-wrap:anywhere}
[hidden]{display:none!important}`;

/** The client's side. Messages of the app are in `heard`, for tests and the curious. */
const SCRIPT = `
const frame = document.querySelector('iframe');
const $ = (id) => document.getElementById(id);
const heard = (globalThis.heard = []);
let theme = document.body.dataset.theme;
let confirms = false;
const emit = (eventType, eventData = {}) => frame.contentWindow.postMessage(JSON.stringify({ eventType, eventData }), '*');
const inset = { top: 0, bottom: 0, left: 0, right: 0 };
const viewport = () => emit('viewport_changed', { width: frame.clientWidth, height: frame.clientHeight, is_expanded: true, is_state_stable: true });
const shut = () => { frame.hidden = true; $('link').textContent = 'Closed'; };
const answers = {
  web_app_request_theme: () => emit('theme_changed', { theme_params: THEMES[theme] }),
  web_app_request_viewport: viewport,
  web_app_request_safe_area: () => emit('safe_area_changed', inset),
  web_app_request_content_safe_area: () => emit('content_safe_area_changed', inset),
  web_app_setup_back_button: ({ is_visible }) => { $('back').hidden = !is_visible; },
  web_app_setup_settings_button: ({ is_visible }) => { $('settings').hidden = !is_visible; },
  web_app_setup_closing_behavior: ({ need_confirmation }) => { confirms = need_confirmation; },
  web_app_setup_main_button(main) {
    $('main').hidden = !main.is_visible;
    $('main').disabled = !main.is_active;
    $('main').textContent = main.text ?? '';
    if (main.color) $('main').style.background = main.color;
    if (main.text_color) $('main').style.color = main.text_color;
  },
  web_app_request_fullscreen: () => emit('fullscreen_changed', { is_fullscreen: true }),
  web_app_exit_fullscreen: () => emit('fullscreen_changed', { is_fullscreen: false }),
  web_app_check_home_screen: () => emit('home_screen_checked', { status: 'missed' }),
  web_app_add_to_home_screen: () => emit('home_screen_added'),
  web_app_open_link: ({ url }) => { $('link').textContent = 'Opened: ' + url; },
  web_app_open_tg_link: ({ path_full }) => { $('link').textContent = 'Opened: t.me' + path_full; },
  web_app_close: shut,
};
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow || typeof data !== 'string') return;
  const { eventType, eventData } = JSON.parse(data);
  heard.push([eventType, eventData]);
  answers[eventType]?.(eventData ?? {});
});
addEventListener('resize', viewport);
$('back').onclick = () => emit('back_button_pressed');
$('main').onclick = () => emit('main_button_pressed');
$('settings').onclick = () => emit('settings_button_pressed');
$('theme').onclick = () => {
  theme = theme === 'dark' ? 'light' : 'dark';
  document.body.dataset.theme = theme;
  emit('theme_changed', { theme_params: THEMES[theme] });
};
$('close').onclick = () => { if (!confirms || confirm('Changes that you made may not be saved.')) shut(); };
`;

/** A page that frames the Mini App at `address` and plays Telegram around it. */
export function hostPage(address: string, theme: keyof typeof THEMES): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Mini App (sandbox)</title><link rel="icon" href="data:,"><style>${CSS}</style></head><body data-theme="${theme}"><header><button id="back" hidden>Back</button><b>Sandbox for Telegram</b><button id="theme">Theme</button><button id="settings" hidden>Settings</button><button id="close">Close</button></header><iframe title="Mini App" src="${escapeHtml(address)}"></iframe><footer><p id="link" role="status"></p><button id="main" hidden></button></footer><script>const THEMES = ${JSON.stringify(THEMES)};${SCRIPT}</script></body></html>`;
}
