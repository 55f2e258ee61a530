import { byId, choice } from './elements.js';
import type { Link } from './Link.js';

/** The files that a run has written, each a download. */
export function savedFiles(link: Link): void {
  const row = byId('files');
  let shown = '';
  link.on('tables', ({ files }) => {
    if (files.join() === shown) return;
    shown = files.join();
    const options = files.map((name) => [name, name.replace(/^out\//, '')] as const);
    const made = choice('Save a file', [['', 'save a file'], ...options], (name) => {
      made.value = '';
      if (name) link.ask({ kind: 'file', name });
    });
    row.replaceChildren(made);
  });
  link.on('file', ({ name, bytes }) => save(name.split('/').at(-1)!, bytes));
}

function save(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const anchor = document.createElement('a');
  anchor.href = URL.createObjectURL(new Blob([bytes]));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}
