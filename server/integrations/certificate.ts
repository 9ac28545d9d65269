import { connect } from 'node:tls';

export type Certificate = { validTo: Date; refused: string | null };

/** What stands in for DNS and the machine's list of authorities in tests. */
export type TlsWorld = { address?: string; port?: number; ca?: string };

/**
 * The certificate that an https origin shows, asked for as a browser does: by its name, at its port. Nothing is sent.
 * Throws when nobody answers.
 */
export function certificateOf(origin: URL, timeoutMs: number, world: TlsWorld = {}): Promise<Certificate> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: world.address ?? origin.hostname,
      port: world.port ?? Number(origin.port || 443),
      servername: origin.hostname,
      // A certificate that is refused is what this is about.
      rejectUnauthorized: false,
      timeout: timeoutMs,
      ...(world.ca !== undefined && { ca: world.ca }),
    });
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${timeoutMs / 1_000} s`)));
    socket.once('error', reject);
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate();
      const refused = socket.authorizationError as unknown;
      socket.destroy();
      resolve({ validTo: new Date(validTo), refused: refused ? String(refused) : null });
    });
  });
}
