import melt from '../../../../examples/01-lj-melt.yaml?raw';
import { Editor } from '../editor/Editor.js';
import { plots } from '../plots/plots.js';
import { byId } from './elements.js';
import { Link } from './Link.js';
import { particles } from './particles.js';
import { savedFiles } from './savedFiles.js';
import { transport } from './transport.js';

const link = new Link();
particles(link);
const editor = new Editor(byId('editor'), byId('mistakes'), link, withoutHead(melt));
transport(link, () => editor.text);
plots(link);
savedFiles(link);
link.on('device', ({ text }) => {
  byId('device').textContent = text;
});
link.on('notice', ({ text }) => {
  byId('device').textContent = text;
});

/** The example without what only editors on a disk need. */
function withoutHead(text: string): string {
  return text.replace(/^# yaml-language-server.*\n/, '');
}
