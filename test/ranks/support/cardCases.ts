import { runs } from '../../support/runs.js';
import { type RankCase, rankCases } from './rankCases.js';

/** Fewer steps: a software adapter is slow. */
const shorter = (text: string): string =>
  text.replace(
    'end_iteration: 100, thermo_frequency: 20',
    'end_iteration: 20, thermo_frequency: 10',
  );

const caseOf = (name: string, more = ''): RankCase => {
  const known = rankCases[name]!;
  return { ...known, text: `${shorter(known.text)}${more}` };
};

const frames =
  'dump_data: [{ write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, forces, mass], frequency: 10 } }]\n';
/** Forces that cancel have the noise of large ones, and a pair at the cutoff has a force or none. */
const places = frames.replace('forces, ', '');

const melt = shorter(rankCases['a melt']!.text);
/** Lists are rebuilt some twenty times, a third of that in the short form, and particles migrate; steps between are made in a row. */
const [many, half] = runs([60, 30], [200, 100]);
const longer = (text: string): string =>
  text.replace(
    'end_iteration: 20, thermo_frequency: 10',
    `end_iteration: ${many}, thermo_frequency: ${half}`,
  );
/** A case of ranks on CPUs with as many steps, and three rows. */
const over = (steps: number, name: string, more = ''): RankCase => {
  const known = rankCases[name]!;
  const text = known.text.replace(
    'end_iteration: 100, thermo_frequency: 20',
    `end_iteration: ${steps}, thermo_frequency: ${steps / 2}`,
  );
  return { ...known, text: `${text}${more}`, isShort: false };
};
const short = (one: RankCase): RankCase => ({ ...one, isShort: true });
const withScheme = (scheme: string): string =>
  melt.replace('thermo: {', `numerical_scheme: ${scheme}\nthermo: { conserved: true`);

const barostat = '{ nose_hoover: { temperature: 1.2, tau: 0.3, pressure: 5, tau_pressure: 0.3 } }';
/** What the long form has too. */
const long = [
  'hot silicon, thinner than the cutoff along one side',
  'silicon at a pressure, thinner than the cutoff along one side',
  'a melt with a biased coordination number',
  'a few biased particles',
  'a biased metal at a pressure',
  'bonded pairs',
  'dissipative particles',
  'a mixture of charges',
  "charges by Wolf's sums, with two time steps",
  'particles that are moved, and others that are held',
  'clocks, files, and particles that are changed on the way',
  'a slab whose faces follow it',
  'time steps of a file',
  '{ andersen: { temperature: 1.2, rate: 5 } }',
  '{ brownian: { temperature: 1.2, friction: 10 } }',
  '{ nose_hoover: { pressure: [3, 9], tau_pressure: 0.3, coupling: aniso, every: 2 } }',
];

/** Simulations that run on ranks with cards as on one CPU. */
export const cardCases: Readonly<Record<string, RankCase>> = {
  'a melt': { text: `${melt}${frames}`, isShort: true },
  // Two passes over pairs: slopes of the embedding travel between them.
  'a metal': short(over(60, 'a metal', places)),
  // Whole neighborhoods: what ghosts receive returns to their owners.
  silicon: short(over(60, 'silicon')),
  // The box is another in every step; lists outlast its strain.
  'a barostat': short(over(60, barostat, places)),
  ...Object.fromEntries(long.map((name) => [name, over(60, name)])),
  // After more steps one is made on the face of a region that others of its step are deleted in.
  'particles that come and go': over(40, 'particles that come and go'),
  'a mixture': caseOf('a mixture', frames),
  'a skewed box': { ...caseOf('a skewed box'), isShort: false },
  'an open box': caseOf('an open box', frames),
  'a box with one open side': caseOf('a box with one open side'),
  'a box thinner than two cutoffs': {
    text: melt.replace('[5, 5, 5]', '[8, 2, 2]'),
    isShort: true,
  },
  'a thermostat of its own random numbers': {
    text: withScheme('{ langevin: { temperature: 1.2, friction: 2 } }'),
  },
  'thermostats that scale velocities': {
    text: withScheme('{ nose_hoover: { temperature: 1.2, tau: 0.3 } }'),
  },
  // Its energy is not accounted for: a software adapter has too few bindings for that in one kernel with the pairs.
  'random numbers over many rebuilds': {
    text: longer(withScheme('{ langevin: { temperature: 1.2, friction: 2 } }')).replace(
      'conserved: true',
      '',
    ),
    isShort: true,
  },
};
