import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packPackages.js';

/** A picture of the gallery: what is run, and how it is drawn. */
export interface Picture {
  /** Name of its file, without the ending. */
  readonly name: string;
  /** The example, below `examples`, without the ending. */
  readonly example: string;
  /** What it shows, for readers who cannot see it. */
  readonly shows: string;
  /** A file that the run writes, and the options with which `render` draws it (PNG) or `plot` (SVG). */
  readonly render?: readonly [file: string, options: string];
  readonly plot?: readonly [file: string, options: string];
}

/** The gallery, in the order of the page. */
export const pictures: readonly Picture[] = [
  {
    name: 'melt',
    example: '01-lj-melt',
    shows: 'Spheres in colors of their speed fill a box',
    render: ['last.xyz', '--color speed --map plasma'],
  },
  {
    name: 'droplet',
    example: '14-droplet',
    shows: 'A ball of spheres, some of them apart from it',
    render: ['droplet.xyz', '--color ep --range -6.5,-0.5 --zoom 1.25'],
  },
  {
    name: 'polycrystal',
    example: '15-polycrystal',
    shows: 'Four ordered grains with disordered boundaries',
    render: ['grains.xyz', '--color structure --map coolwarm --direction -0.4,0.7,-0.6 --zoom 1.1'],
  },
  {
    name: 'silicon',
    example: '16-silicon',
    shows: 'A crystal with a hole at an upper edge',
    render: ['silicon.xyz', '--color ep --range -4.4,-3 --radius 1.1 --direction -0.35,0.9,-0.3'],
  },
  {
    name: 'coordination',
    example: '07-coordination',
    shows: 'The number of neighbors falls while a crystal melts',
    plot: ['coordination.csv', ''],
  },
  {
    name: 'argon',
    example: 'gallery/argon',
    shows: 'g(r) of liquid argon, with peaks that fade',
    plot: ['rdf.csv', ''],
  },
  {
    name: 'structure-factor',
    example: 'gallery/structure-factor',
    shows: 'S(q) of a liquid, with a high first peak',
    plot: ['sq.csv', ''],
  },
  {
    name: 'diffusion',
    example: 'gallery/diffusion',
    shows: 'Mean square displacements along a line',
    plot: ['msd.csv', '--y msd'],
  },
  {
    name: 'velocities',
    example: 'gallery/velocities',
    shows: 'A velocity autocorrelation that falls below zero',
    plot: ['vacf.csv', ''],
  },
  {
    name: 'order',
    example: 'gallery/order',
    shows: 'Bond order falls during melting',
    plot: ['order.csv', '--y q6'],
  },
  {
    name: 'melting',
    example: 'gallery/melting',
    shows: 'A volume that grows while a crystal melts',
    plot: ['thermo.csv', '--y volume'],
  },
  {
    name: 'thermostat',
    example: 'gallery/thermostat',
    shows: 'A temperature that falls to 1 and fluctuates there',
    plot: ['thermo.csv', '--y temperature'],
  },
  {
    name: 'tension',
    example: 'gallery/tension',
    shows: 'A pressure that falls under tension, and recovers',
    plot: ['thermo.csv', '--y pxx'],
  },
  {
    name: 'film',
    example: 'gallery/film',
    shows: 'A density along z: a plateau between two empty parts',
    plot: ['film.csv', ''],
  },
  {
    name: 'mixture',
    example: 'gallery/mixture',
    shows: 'Three g(r) with peaks at three distances',
    plot: ['rdf.csv', '--y g_A-A,g_A-B,g_B-B'],
  },
  {
    name: 'salt',
    example: 'gallery/salt',
    shows: 'g(r) of like and unlike charges out of phase',
    plot: ['rdf.csv', '--y g_cation-cation,g_cation-anion'],
  },
  {
    name: 'minimize',
    example: 'gallery/minimize',
    shows: 'An energy that falls to its least value',
    plot: ['energy.csv', ''],
  },
  {
    name: 'dpd',
    example: 'gallery/dpd',
    shows: 'A temperature that fluctuates about 1',
    plot: ['thermo.csv', '--y temperature --mean'],
  },
  {
    name: 'vapor',
    example: 'gallery/vapor',
    shows: 'The number of clusters falls while a vapor condenses',
    plot: ['clusters.csv', ''],
  },
  {
    name: 'copper',
    example: 'gallery/copper',
    shows: 'The kinetic energy falls to half',
    plot: ['thermo.csv', '--y kinetic_energy'],
  },
];

/** The file of a picture, in docs/pictures. */
export const fileOf = ({ name, render }: Picture): string => `${name}.${render ? 'png' : 'svg'}`;

/** Options of the commands that made a picture, as a user would write them. */
const drawnBy = ({ render, plot }: Picture): string =>
  render
    ? `\`corpuscle render ${render[0]} --frame -1 ${render[1]}\``
    : `\`corpuscle ${`plot ${plot![0]} ${plot![1]}`.trim()}\``;

/** The text of an example. */
export const exampleText = ({ example }: Picture): string =>
  readFileSync(join(root, `examples/${example}.yaml`), 'utf8');

/** What an example says of itself in its second line. */
function sentenceOf(picture: Picture): string {
  const [, line] = exampleText(picture).split('\n');
  return line!
    .replace(/^# |;.*$/g, '')
    .replace(/: .*corpuscle run.*$/, '')
    .replace(/[:,]$/, '.')
    .replace(/([^.])$/, '$1.');
}

/** docs/gallery.md. */
export function galleryPage(): string {
  const rows = pictures.map((picture) => {
    const { name, example, shows } = picture;
    const words = `**[${name}](../examples/${example}.yaml)** ${sentenceOf(picture)}<br>${drawnBy(picture)}`;
    return `| ![${shows}](pictures/${fileOf(picture)}) | ${words} |`;
  });
  return `# Gallery

Twenty examples, each a file that runs as it is: \`corpuscle run FILE --output OUT\`. Pictures are made by \`corpuscle render\` and
\`corpuscle plot\`. \`pnpm run gallery\` makes all of them, and this page. They are small, since they are part of the repository.

| | |
|---|---|
${rows.join('\n')}

[The command](command.md) has all options of both, [Pictures](view.md) the library.
`;
}
