/** Calls back, at most once a frame, when anything changes that Telegram's buttons mirror. Answers how to stop. */
export function watchPage(changed: () => void): () => void {
  let isDue = false;
  const observer = new MutationObserver(() => {
    if (isDue) return;
    isDue = true;
    requestAnimationFrame(() => {
      isDue = false;
      changed();
    });
  });
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ['open', 'aria-disabled', 'aria-busy'],
  });
  return () => observer.disconnect();
}
