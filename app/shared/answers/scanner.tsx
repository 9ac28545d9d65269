import './sent-picture.css';
import { useEffect, useRef, useState } from 'react';
import { m } from '../../paraglide/messages.js';
import { Button } from '../../ui/button.tsx';
import { codeReader, Unreadable } from './code-reader.ts';

const EVERY_MS = 150;

/**
 * Scans for a code with the camera. When `isWanted` accepts one, the camera stops and `onCode` gets it. Without a
 * camera or permission it says so, and the code can be typed.
 */
export function Scanner(props: {
  isWanted: (text: string) => Promise<boolean>;
  onCode: (text: string) => void;
  onStop: () => void;
}) {
  const { isWanted, onCode } = props;
  const video = useRef<HTMLVideoElement>(null);
  const [refused, setRefused] = useState<'camera' | 'reading' | null>(null);
  const [attempt, setAttempt] = useState(0);
  const latest = useRef(onCode);
  latest.current = onCode;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt asks for the camera again
  useEffect(() => {
    const stop = new AbortController();
    look(video.current, stop.signal, isWanted, (text) => latest.current(text)).catch((error: unknown) => {
      if (!stop.signal.aborted) setRefused(error instanceof Unreadable ? 'reading' : 'camera');
    });
    return () => stop.abort();
  }, [isWanted, attempt]);
  return (
    <div className="stack">
      {refused !== null ? (
        <p className="quote quote--asks" role="alert">
          {refused === 'reading' ? m.member_scan_unreadable() : m.member_scan_refused()}
        </p>
      ) : (
        <video ref={video} className="picture" muted playsInline aria-label={m.member_scan_view()} />
      )}
      <div className="actions">
        {refused !== null ? (
          <Button
            kind="edge"
            icon="retry"
            onClick={() => {
              setRefused(null);
              setAttempt((before) => before + 1);
            }}
          >
            {m.member_scan_again()}
          </Button>
        ) : (
          <Button kind="words" onClick={props.onStop}>
            {m.member_scan_stop()}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Scans until a wanted code is found or the scan is stopped. @throws when there is no camera, or no permission */
async function look(
  video: HTMLVideoElement | null,
  stop: AbortSignal,
  isWanted: (text: string) => Promise<boolean>,
  onCode: (text: string) => void,
): Promise<void> {
  if (!video) return;
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment' }, audio: false });
  try {
    if (stop.aborted) return;
    video.srcObject = stream;
    await video.play();
    const readCode = await codeReader();
    while (!stop.aborted) {
      const text = await readCode(video);
      if (text !== null && !stop.aborted && (await isWanted(text))) return onCode(text);
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}
