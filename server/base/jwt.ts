/** Characters of a JSON Web Token. Runs are matched whole, so no text is scanned twice. */
const RUN = /[\w.-]+/g;

/** The text with each JSON Web Token (RFC 7519: parts joined by dots, the first begins with `eyJ`) as `mask`. */
export function maskTokens(text: string, mask: string): string {
  if (!text.includes('eyJ')) return text;
  return text.replace(RUN, (run) => {
    const at = run.search(/\beyJ[\w-]{5}/);
    return at >= 0 && run.includes('.', at) ? run.slice(0, at) + mask : run;
  });
}
