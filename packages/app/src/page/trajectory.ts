import { byId } from './elements.js';
import type { Link } from './Link.js';

/** Seeking in a file of particles: a slider over its frames. */
export function trajectory(link: Link): void {
  const row = byId('frames');
  const input = Object.assign(document.createElement('input'), { type: 'range', min: '0' });
  const label = document.createElement('label');
  label.append('Frame', input);
  row.append(label);
  input.oninput = () => link.ask({ kind: 'seek', frame: Number(input.value) });
  let name = '';
  link.on('trajectory', (report) => {
    name = report.name;
    row.hidden = false;
    input.max = String(report.frames - 1);
    input.value = '0';
  });
  link.on('frame', ({ frame, particles, text }) => {
    document.body.dataset.frame = String(frame);
    byId('status').textContent =
      `${name}: frame ${frame} of ${Number(input.max) + 1}, ${particles} particles${text}`;
  });
  link.on('phase', ({ phase }) => {
    if (phase === 'running') row.hidden = true;
  });
}
