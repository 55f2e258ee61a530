import type { Editor } from '../editor/Editor.js';
import { button, byId, choice } from './elements.js';
import { examples } from './examples.js';
import type { Link } from './Link.js';
import { encodeTexts } from './sharedTexts.js';

/** Gallery, files, links and theme: what stands above the page. */
export function documents(link: Link, editor: Editor): void {
  const gallery = choice(
    'Examples',
    [['', 'examples'], ...Object.keys(examples).map((name) => [name, name] as const)],
    (name) => {
      gallery.value = '';
      const texts = examples[name];
      if (texts) editor.open(texts);
    },
  );
  const open = Object.assign(document.createElement('input'), { type: 'file', hidden: true });
  open.onchange = () => {
    for (const file of open.files ?? []) void take(file, link, editor);
    open.value = '';
  };
  const share = button('Share', 'Copy a link to these texts', async () => {
    location.hash = await encodeTexts(editor.texts);
    await navigator.clipboard?.writeText(location.href).catch(() => undefined);
    share.textContent = 'Link copied';
    setTimeout(() => {
      share.textContent = 'Share';
    }, 2000);
  });
  byId('documents').append(
    gallery,
    button('Open', 'A simulation, or a file of particles: also by dropping it', () => open.click()),
    open,
    share,
    themeChoice(),
  );
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer?.files ?? []) void take(file, link, editor);
  });
}

/** A simulation goes into the editor; particles are shown, and simulations can read them by their name. */
async function take(file: File, link: Link, editor: Editor): Promise<void> {
  if (/\.ya?ml$/i.test(file.name)) {
    editor.open({ ...editor.texts, simulation: await file.text() });
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  link.ask({ kind: 'open', name: file.name, bytes }, [bytes.buffer]);
}

function themeChoice(): HTMLSelectElement {
  const root = document.documentElement;
  const themes = [
    ['', 'theme of the system'],
    ['light', 'light'],
    ['dark', 'dark'],
  ] as const;
  const made = choice('Theme', themes, (theme) => {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    localStorage.setItem('theme', theme);
    dispatchEvent(new Event('themechange'));
  });
  made.value = localStorage.getItem('theme') ?? '';
  if (made.value) root.dataset.theme = made.value;
  return made;
}
