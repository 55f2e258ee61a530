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

const melt = shorter(rankCases['a melt']!.text);
/** Lists are rebuilt some twenty times, a third of that in the short form, and particles migrate; steps between are made in a row. */
const [many, half] = runs([60, 30], [200, 100]);
const longer = (text: string): string =>
  text.replace(
    'end_iteration: 20, thermo_frequency: 10',
    `end_iteration: ${many}, thermo_frequency: ${half}`,
  );
const withScheme = (scheme: string): string =>
  melt.replace('thermo: {', `numerical_scheme: ${scheme}\nthermo: { conserved: true`);

/** Simulations that run on ranks with cards as on one CPU. */
export const cardCases: Readonly<Record<string, RankCase>> = {
  'a melt': { text: `${melt}${frames}`, isShort: true },
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
