import { FILE_BYTES, FILE_NAME_MAX } from '../../../server/contract/limits.ts';
import { fileTypeOf } from '../../../server/kinds/file/rules.ts';

/** A file as it is sent, by what it is and not by what it is called; else why it cannot be. */
export type ChosenFile = { name: string } & ({ kind: 'ready'; bytes: Blob } | { kind: 'too_large' | 'unreadable' });

/** Looks at a file as the server will. @throws where this browser cannot read it any more */
export async function chooseFile(file: File): Promise<ChosenFile> {
  // The beginning says what it is, the end what kind of file.
  const name = file.name.length <= FILE_NAME_MAX ? file.name : `${file.name.slice(0, 80)}…${file.name.slice(-30)}`;
  if (file.size > FILE_BYTES) return { name, kind: 'too_large' };
  const bytes = new Uint8Array(await file.arrayBuffer());
  const type = fileTypeOf(bytes);
  return type === null ? { name, kind: 'unreadable' } : { name, kind: 'ready', bytes: new Blob([bytes], { type }) };
}
