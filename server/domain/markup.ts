const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of people inside of markup, between tags or in a quoted attribute: nothing of it is markup. */
export const escaped = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\ufffe\uffff]/gu, '').replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);
