/** What `server/build/guides.ts` compiles `app/guides` to. */
declare module 'virtual:guides' {
  export const guides: readonly import('./guide-text.ts').Guide[];
}
