import { CorpuscleError, Domain, defineOperator, dimensions, stateKey } from '@corpuscle/core';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { newBox } from '../newBox.js';
import { settledBox } from '../RunBox.js';
import { checkFaces, type FaceName, faceOf, facesSlot } from './faces.js';
import { particleExtent, shrunkBox } from './shrinkWrap.js';

/** The margin of faces by default, as a part of the first length of the box. */
const MARGIN = 1e-4;

/** The box before any face has followed: what operators in setup_system and in the loop refer to. */
const firstBoxKey = stateKey<Domain>('first box', 'shrink_wrap notes it');

type SavedWrap = { readonly matrix: readonly number[]; readonly origin: readonly number[] };

/** `shrink_wrap`: faces of the box that follow the particles. */
export const shrinkWrapOperator = defineOperator({
  name: 'shrink_wrap',
  doc: 'Faces of the box that follow the particles, inward and outward. In setup_system it acts once; in a loop put it into after_drift. Volume, pressure and frames see the new box. On a device it waits for the positions.',
  slots: {
    faces: {
      ...facesSlot,
      doc: 'faces that follow, lower and upper ones along the three lattice vectors; the box must not be periodic there',
    },
    minimum: {
      type: 'boolean',
      default: false,
      doc: 'faces never come closer than those of the box before the first change',
    },
    margin: {
      type: 'quantity',
      dimension: dimensions.length,
      above: 0,
      doc: 'distance from a face to the last particle; default 1e-4 of the width of the box before the first change',
    },
    every: { type: 'integer', min: 1, default: 100, doc: 'in a loop: steps between changes' },
    from: { type: 'integer', min: 0, default: 0, doc: 'in a loop: the first step' },
  },
  every: 'every',
  from: 'from',
  requires: [gridKey],
  checkBox: ({ faces = [] }, domain) =>
    checkFaces('shrink_wrap', faces as readonly FaceName[], domain),
  functors: [particleExtent],
  prepare({ slots, state }) {
    const { wholeDomain } = state.get(gridKey);
    checkFaces('shrink_wrap', slots.faces as readonly FaceName[], wholeDomain);
    state.obtain(firstBoxKey, () => wholeDomain);
  },
  save({ state }): SavedWrap {
    const { matrix, origin } = state.get(firstBoxKey);
    return { matrix, origin: [...origin] };
  },
  restore({ state }, saved) {
    const { matrix, origin } = (saved ?? {}) as Partial<SavedWrap>;
    if (![matrix, origin].every(Array.isArray))
      throw new CorpuscleError(
        'FILE_FORMAT',
        'the checkpoint has no box that shrink_wrap met first',
      );
    const { periodic } = state.get(gridKey).wholeDomain;
    const options = { origin: origin as [number, number, number], periodic };
    state.set(firstBoxKey, Domain.triclinic(matrix!, options));
  },
  async execute({ slots, state }) {
    await settledBox(state);
    const first = state.get(firstBoxKey);
    const { faces, minimum, margin } = slots;
    const grid = state.get(gridKey);
    const names = faces as readonly FaceName[];
    checkFaces('shrink_wrap', names, grid.wholeDomain);
    const box = await shrunkBox(grid, contextOf(state), {
      faces: names.map(faceOf),
      margins: first.heights.map((height) => margin ?? MARGIN * height),
      least: minimum ? first : null,
    });
    newBox(state, box, 'none');
  },
});
