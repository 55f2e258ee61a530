/**
 * Draws docs/melt.svg from a run of the first example:
 *
 *   npx corpuscle run examples/01-lj-melt.yaml --set global.thermo_frequency=2 --output corpuscle-out
 *   npx tsx docs/plot-melt.ts corpuscle-out/thermo.csv > docs/melt.svg
 */
import { readFileSync } from 'node:fs';

const [header, ...lines] = readFileSync(process.argv[2]!, 'utf8').trim().split('\n');
const columns = header!.split(',');
const rows = lines.map((line) => line.split(',').map(Number));
const column = (name: string) => rows.map((row) => row[columns.indexOf(name)]!);

const ATOMS = 4000;
const WIDTH = 760;
const LEFT = 70;
const RIGHT = 150;
const PANEL = 150;
const INK = '#333';

const time = column('time');
const end = time[time.length - 1]!;
const x = (t: number) => LEFT + ((WIDTH - LEFT - RIGHT) * t) / end;

interface Series {
  readonly name: string;
  readonly color: string;
  readonly values: readonly number[];
}

function panel(
  top: number,
  title: string,
  low: number,
  high: number,
  step: number,
  series: readonly Series[],
): string {
  const y = (value: number) => top + PANEL * (1 - (value - low) / (high - low));
  const out = [`<text x="${LEFT}" y="${top - 10}" font-weight="600">${title}</text>`];
  for (let tick = low; tick <= high + 1e-9; tick += step)
    out.push(
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(tick)}" y2="${y(tick)}" stroke="#e4e4e4"/>`,
      `<text x="${LEFT - 8}" y="${y(tick) + 4}" text-anchor="end">${+tick.toFixed(2)}</text>`,
    );
  for (const { name, color, values } of series) {
    const points = values.map((value, k) => `${x(time[k]!).toFixed(1)},${y(value).toFixed(1)}`);
    out.push(
      `<polyline fill="none" stroke="${color}" stroke-width="1.8" points="${points.join(' ')}"/>`,
      `<text x="${WIDTH - RIGHT + 8}" y="${y(values[values.length - 1]!) + 4}" fill="${color}">${name}</text>`,
    );
  }
  return out.join('\n');
}

const perAtom = (name: string) => column(name).map((value) => value / ATOMS);
const axis = [0, 0.5, 1, 1.5, 2, 2.5]
  .filter((t) => t <= end)
  .map((t) => `<text x="${x(t)}" y="418" text-anchor="middle">${t}</text>`);

console.log(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} 450" font-family="sans-serif" font-size="12" fill="${INK}">
<title>Temperature and energy of the melt</title>
<rect width="100%" height="100%" fill="#fff"/>
${panel(40, 'Temperature', 0.6, 1.5, 0.3, [{ name: 'T', color: '#b3432b', values: column('temperature') }])}
${panel(250, 'Energy per atom', -8, 4, 2, [
  { name: 'kinetic', color: '#b3432b', values: perAtom('kinetic_energy') },
  { name: 'total (conserved)', color: INK, values: perAtom('total_energy') },
  { name: 'potential', color: '#2f6690', values: perAtom('potential_energy') },
])}
${axis.join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="440" text-anchor="middle">time (Lennard-Jones units)</text>
</svg>`);
