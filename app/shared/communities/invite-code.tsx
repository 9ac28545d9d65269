import './invite-code.css';
import { useEffect, useState } from 'react';
import { orReload } from '../../lib/service-worker.ts';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';

const stays = () => false;

/** One module of a code is one unit; rows of dark modules become a path. */
async function pathOf(text: string): Promise<{ path: string; size: number }> {
  const { default: encodeQR } = await orReload(import('qr'), stays);
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 4 });
  const path = rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return { path, size: rows.length };
}

/** The link as a QR code for a person nearby, drawn on this device on demand. */
export function InviteCode({ url }: { url: string }) {
  const [open, setOpen] = useState(false);
  const [drawn, setDrawn] = useState<{ path: string; size: number } | 'failed' | null>(null);
  useEffect(() => {
    if (!open) return;
    let left = false;
    pathOf(url).then(
      (code) => !left && setDrawn(code),
      () => !left && setDrawn('failed'),
    );
    return () => {
      left = true;
    };
  }, [open, url]);
  return (
    <>
      <div className="actions">
        <Button kind="edge" icon="code" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? m.share_invite_qr_hide() : m.share_invite_qr()}
        </Button>
      </div>
      {open && drawn === 'failed' && (
        <p className="text-small" role="status">
          {m.share_invite_qr_failed()}
        </p>
      )}
      {open && drawn !== null && drawn !== 'failed' && (
        // Dark on light in both themes, because cameras read nothing else.
        <svg
          className="invite-code-picture"
          viewBox={`0 0 ${drawn.size} ${drawn.size}`}
          role="img"
          aria-label={m.share_invite_qr_label()}
        >
          <rect width={drawn.size} height={drawn.size} fill="#fff" />
          <path d={drawn.path} fill="#000" shapeRendering="crispEdges" />
        </svg>
      )}
    </>
  );
}
