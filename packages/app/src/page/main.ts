import { documents } from './documents.js';
import { byId } from './elements.js';
import { examples } from './examples.js';
import { Link } from './Link.js';
import { particles } from './particles.js';
import { decodeTexts } from './sharedTexts.js';

/** Milliseconds for which the editor waits for the first particles. */
const PATIENCE = 600;

// Particles come first: the engine loads and draws while the editor and the plots are loaded.
const link = new Link();
particles(link);
const texts = (await decodeTexts(location.hash.slice(1))) ?? examples['Lennard-Jones melt']!;
const token = new URLSearchParams(location.search).get('view');
if (token === null) link.ask({ kind: 'preview', texts });
link.on('drawn', ({ pictures, step, at }) => {
  Object.assign(document.body.dataset, { pictures, drawn: step });
  if (pictures === 1)
    performance.mark('first particles', { startTime: at - performance.timeOrigin });
});
const device = byId('device');
for (const kind of ['device', 'notice'] as const)
  link.on(kind, ({ text }) => {
    device.textContent = text;
  });
// On a slow machine the editor would take its time from the first picture.
const first = new Promise<void>((drawn) => link.on('drawn', () => drawn()));
if (token === null) await Promise.race([first, new Promise((late) => setTimeout(late, PATIENCE))]);
const later = await import('./later.js');
const { Editor, plots, recording, savedFiles, trajectory, transport, viewed } = later;
const editor = new Editor(link, texts);
documents(link, editor);
transport(link, () => editor.texts);
trajectory(link);
plots(link);
savedFiles(link);
recording(link);
if (token !== null) await viewed(link, editor, token);
// Without it the page needs a network each time, and a page of `corpuscle view` is gone with its command.
else navigator.serviceWorker?.register('./offline.js').catch(() => {});
