import { Editor } from '../editor/Editor.js';
import { plots } from '../plots/plots.js';
import { documents } from './documents.js';
import { byId } from './elements.js';
import { examples } from './examples.js';
import { Link } from './Link.js';
import { particles } from './particles.js';
import { savedFiles } from './savedFiles.js';
import { decodeTexts } from './sharedTexts.js';
import { trajectory } from './trajectory.js';
import { transport } from './transport.js';
import { viewed } from './viewed.js';

const link = new Link();
const shared = await decodeTexts(location.hash.slice(1));
const editor = new Editor(link, shared ?? examples['Lennard-Jones melt']!);
documents(link, editor);
particles(link);
transport(link, () => editor.texts);
trajectory(link);
plots(link);
savedFiles(link);
if (new URLSearchParams(location.search).has('view')) await viewed(link, editor);
const device = byId('device');
link.on('device', ({ text }) => {
  device.textContent = text;
});
link.on('notice', ({ text }) => {
  device.textContent = text;
});
