/** Plain http on a name of this very computer, which browsers take for as safe as https. */
export const isLoopbackHttp = (url: URL): boolean =>
  url.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
