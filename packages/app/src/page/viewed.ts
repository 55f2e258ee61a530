import type { Editor } from '../editor/Editor.js';
import type { Link } from './Link.js';

/** What `corpuscle view` says of its file. */
interface ViewedFile {
  readonly kind: 'simulation' | 'particles';
  readonly name: string;
  readonly others: readonly string[];
  readonly isRun: boolean;
}

/**
 * Takes the file of `corpuscle view`: particles are shown, a simulation goes into the editor with the files that it reads, and a
 * run of the command is looked at.
 */
export async function viewed(link: Link, editor: Editor, token: string): Promise<void> {
  const at = (name: string) => new URL(`${name}?token=${token}`, location.href);
  const { kind, name, others, isRun } = (await (await fetch(at('view.json'))).json()) as ViewedFile;
  const fetched = async (one: string) =>
    new Uint8Array(await (await fetch(at(`view/${encodeURIComponent(one)}`))).arrayBuffer());
  for (const other of others) link.ask({ kind: 'keep', name: other, bytes: await fetched(other) });
  const bytes = await fetched(name);
  const texts = () => ({ simulation: new TextDecoder().decode(bytes), potential: '' });
  if (kind === 'particles') link.ask({ kind: 'open', name, bytes });
  else if (isRun) editor.texts = texts();
  else editor.open(texts());
  if (isRun) await link.connect(at('run').href.replace(/^http/, 'ws'));
}
