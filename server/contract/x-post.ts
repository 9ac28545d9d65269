/** A public post, as people copy its address: `https://x.com/name/status/1234567890`. */
export const X_POST = /^https:\/\/(?:www\.|mobile\.)?(?:x|twitter)\.com\/(\w{1,15})\/status\/(\d{1,20})(?:[/?#].*)?$/i;
