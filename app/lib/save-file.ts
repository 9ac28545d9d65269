/** Hands a file that was made here to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  // The browser reads the file at its own pace.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
