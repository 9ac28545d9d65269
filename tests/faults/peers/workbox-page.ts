/** A page that posts each entry by itself; its service worker queues what fails. */
Object.assign(globalThis, {
  raise: async (names: string[]) => {
    const sent = names.map((name) => fetch('/intake', { method: 'POST', body: JSON.stringify({ name }) }));
    const late = new Promise((done) => setTimeout(done, 500));
    await Promise.race([Promise.allSettled(sent), late]);
  },
});
void navigator.serviceWorker.register('/worker.js');

export {};
