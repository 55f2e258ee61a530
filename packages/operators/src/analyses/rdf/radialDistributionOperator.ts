import { dimensions, type SimulationState } from '@corpuscle/core';
import { plotSvg } from '../../io/plot/plotSvg.js';
import { listsReach } from '../../run/freshness.js';
import { contextOf } from '../../run/stateKeys.js';
import { groupSlot } from '../../sets/group/Groups.js';
import { speciesOf } from '../../system/placeParticles.js';
import { defineAnalysis } from '../define/defineAnalysis.js';
import { looksAtFrame } from '../define/looksAtFrame.js';
import { cutoffNamed, reachesInBox } from '../define/reachesInBox.js';
import { countPairs } from '../pair_histogram/countPairs.js';
import {
  addLanes,
  boundTiles,
  countTilePairs,
  latticePlace,
  placeInLattice,
} from '../pair_histogram/countTilePairs.js';
import { groupSets, typesInGroup } from './groupSets.js';
import { RadialDistribution, type RadialDistributionResult } from './RadialDistribution.js';

/** Particles of which a device meets all pairs sooner than the host sorts them. */
const UNSORTED = 16384;

export const radialDistributionOperator = defineAnalysis({
  name: 'radial_distribution',
  doc: 'Radial distribution functions g(r) per pair of particle types, averaged over frames; g is 1 in an ideal gas.',
  slots: {
    r_max: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'where the histogram ends; default: half the box of the first frame',
    },
    bins: { type: 'integer', min: 1, max: 100_000, default: 100, doc: 'number of bins' },
    pairs: {
      type: 'list',
      of: { type: 'list', of: { type: 'string' }, length: 2 },
      doc: 'pairs of types, such as [[O, O], [O, H]]; default: all',
    },
    groups: {
      type: 'list',
      of: { type: 'list', of: { type: 'string', names: 'group' }, length: 2 },
      minLength: 1,
      doc: 'pairs of groups in place of types, such as [[hot, all]]; four groups at most beside all',
    },
    ...groupSlot,
    errors: {
      type: 'boolean',
      default: false,
      doc: 'adds columns e_… to the table: standard errors of g from blocks of frames; JSON always has them',
    },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: 'a table with g and the running coordination number of each pair; JSON when it is called *.json',
    },
    plot: { type: 'file', mode: 'write', doc: 'an SVG of g(r)' },
  },
  validate({ slots, fail, particleTypes }) {
    if (slots.pairs && slots.groups)
      fail('groups', 'INVALID_VALUE', 'radial_distribution takes pairs or groups, not both');
    if (slots.groups && slots.group !== undefined && slots.group !== 'all')
      fail('group', 'INVALID_VALUE', 'radial_distribution takes group or groups, not both');
    const { names } = particleTypes;
    for (const pair of slots.pairs ?? [])
      for (const name of pair)
        if (names.length > 0 && !names.includes(name))
          fail(
            'pairs',
            'UNKNOWN_TYPE',
            `there is no particle type '${name}'; there are ${names.join(', ')}`,
          );
  },
  prepare({ slots, state }) {
    const groups = slots.groups as readonly (readonly [string, string])[] | undefined;
    const types = speciesOf(state);
    return {
      distribution: new RadialDistribution(contextOf(state), {
        types,
        rMax: slots.r_max,
        bins: slots.bins,
        sets: groups ? groupSets(state, groups) : inGroup(state, types, slots.group),
        pairs: groups ?? (slots.pairs as readonly (readonly [string, string])[] | undefined),
      }),
    };
  },
  ...looksAtFrame(latticePlace.name),
  frame({ grid, own, state }) {
    const { distribution } = own;
    const isSorted = grid.count <= UNSORTED || listsReach(state) > 0;
    const added = isSorted ? distribution.addSorted(grid) : distribution.add(grid);
    return added.catch((error: unknown) => {
      throw cutoffNamed('r_max', error);
    });
  },
  ...reachesInBox('r_max'),
  functors: [countPairs, placeInLattice, boundTiles, countTilePairs, addLanes],
  async save({ own }) {
    await own.distribution.settle();
    return own.distribution.save();
  },
  restore: ({ own }, saved) => own.distribution.restore(saved),
  async finish({ slots, state, own }) {
    const { units } = state.simulation.configuration;
    await own.distribution.settle();
    const result = own.distribution.result();
    const r = result.r.map((x) => units.fromInternal(x, dimensions.length));
    const shown = { ...result, r };
    const text = /\.json$/i.test(slots.file)
      ? `${JSON.stringify(shown)}\n`
      : tableOf(shown, slots.errors);
    await state.output.writeWhole(slots.file, text);
    if (slots.plot === undefined) return;
    const series = result.pairs.map(({ types, g }) => ({ name: types.join('–'), x: r, y: g }));
    const plot = { title: 'Radial distribution', x: 'r', y: 'g(r)', series };
    await state.output.writeWhole(slots.plot, plotSvg(plot));
  },
  dispose: ({ own }) => own.distribution.close(),
});

const inGroup = (state: SimulationState, types: readonly string[], group: string) =>
  group === 'all' ? undefined : typesInGroup(state, types, group);

function tableOf({ r, pairs }: RadialDistributionResult, errors: boolean): string {
  const names = pairs.map(({ types }) => types.join('-'));
  const head = ['r', ...names.flatMap((name) => [`g_${name}`, `n_${name}`])]
    .concat(errors ? names.map((name) => `e_${name}`) : [])
    .join(',');
  const rows = r.map((x, k) =>
    [
      x,
      ...pairs.flatMap(({ g, coordination }) => [g[k], coordination[k]]),
      ...(errors ? pairs.map(({ error }) => error[k]) : []),
    ].join(','),
  );
  return `${[head, ...rows].join('\n')}\n`;
}
