import { copyText } from '../../lib/browser.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { toast } from '../../ui/toast.tsx';

/** Shares a public community's address with the system's sheet, or else the clipboard. */
export function ShareLink({ slug, name }: { slug: string; name: string }) {
  const url = `${globalThis.location.origin}/community/${slug}`;
  const share = async () => {
    // Closing the share sheet is an answer, so nothing is shown.
    if ('share' in navigator) return void navigator.share({ url, title: name }).catch(() => null);
    const copied = await copyText(url);
    toast({ icon: 'link', title: copied ? m.share_link_copied() : m.share_link_by_hand({ url }) });
  };
  return (
    <Button kind="words" icon="link" onClick={() => void share()}>
      {m.share_link()}
    </Button>
  );
}
