import { CorpuscleError } from '@corpuscle/core';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { formatNumber } from '../formatNumber.js';
import { firstIdShift } from '../frames/firstId.js';
import { standardBox, withBox } from '../frames/standardBox.js';
import { joined } from '../frames/textWriter.js';
import type { WrittenStyle } from './atomStyles.js';

/**
 * A frame as a data file of LAMMPS: masses of the types, atoms, image flags and velocities where there are any, bonds.
 * Ids are positive in LAMMPS: where a particle has id 0, all are one more.
 *
 * @param style default: `full` with bonds or molecules, `charge` with charges, else `atomic`
 * @throws CorpuscleError INVALID_VALUE when particles of one type differ in mass, or bonds need another style.
 */
export function* formatLammpsData(given: ParticleFrame, style?: WrittenStyle): Generator<string> {
  const frame = standardBox(withBox(given));
  const { bonds } = frame;
  const chosen = style ?? styleOf(frame);
  if (bonds && bonds.length > 0 && chosen !== 'full')
    throw new CorpuscleError(
      'INVALID_VALUE',
      `atoms of style ${chosen} have no bonds: choose style full`,
    );
  yield head(frame);
  yield* joined(atoms(frame, chosen));
  if (frame.velocity) {
    yield '\nVelocities\n\n';
    yield* joined(velocities(frame, frame.velocity));
  }
  if (!bonds || bonds.length === 0) return;
  const shift = firstIdShift(frame);
  yield '\nBonds\n\n';
  yield* joined(
    bonds.map(({ ids: [a, b], kind = 0 }, k) => `${k + 1} ${kind + 1} ${a + shift} ${b + shift}`),
  );
}

function styleOf({ charge, bonds, molecule }: ParticleFrame): WrittenStyle {
  if ((bonds && bonds.length > 0) || molecule) return 'full';
  return charge?.some((q) => q !== 0) ? 'charge' : 'atomic';
}

function head(frame: ParticleFrame): string {
  const [lx, , , xy, ly, , xz, yz, lz] = frame.lattice! as number[];
  const [x, y, z] = frame.origin;
  const bonds = frame.bonds ?? [];
  const kinds = bonds.reduce((most, { kind = 0 }) => Math.max(most, kind + 1), 0);
  const bounds = [
    [x, x + lx!, 'xlo xhi'],
    [y, y + ly!, 'ylo yhi'],
    [z, z + lz!, 'zlo zhi'],
  ].map(
    ([low, high, what]) => `${formatNumber(low as number)} ${formatNumber(high as number)} ${what}`,
  );
  const tilts = [xy!, xz!, yz!];
  const isTilted = tilts.some((tilt) => tilt !== 0);
  const masses = massesOf(frame).map(
    (mass, k) => `${k + 1} ${formatNumber(mass)} # ${frame.species[k]}`,
  );
  return [
    `LAMMPS data file written by Corpuscle${frame.step === undefined ? '' : `, timestep = ${frame.step}`}`,
    '',
    `${frame.count} atoms`,
    `${frame.species.length} atom types`,
    ...(bonds.length > 0 ? [`${bonds.length} bonds`, `${kinds} bond types`] : []),
    '',
    ...bounds,
    ...(isTilted ? [`${tilts.map(formatNumber).join(' ')} xy xz yz`] : []),
    '',
    'Masses',
    '',
    ...masses,
    '',
    '',
  ].join('\n');
}

/** The mass of each type: that of its particles, 1 where there is none. */
function massesOf({ species, type, mass, id }: ParticleFrame): number[] {
  const masses = new Array<number>(species.length).fill(1);
  const isKnown = new Uint8Array(species.length);
  type.forEach((t, k) => {
    const value = mass ? mass[k]! : 1;
    if (isKnown[t] === 0) masses[t] = value;
    else if (masses[t] !== value)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `particle ${id ? id[k] : k} has mass ${value}, and others of type ${species[t]} have ${masses[t]}: a data file has one mass for a type`,
      );
    isKnown[t] = 1;
  });
  return masses;
}

function* atoms(frame: ParticleFrame, style: WrittenStyle): Generator<string> {
  const { count, id, type, charge, molecule, position, image } = frame;
  const shift = firstIdShift(frame);
  yield `Atoms # ${style}\n`;
  for (let k = 0; k < count; k++) {
    const words: (number | string)[] = [(id ? id[k]! : k) + shift];
    if (style === 'full') words.push(molecule ? molecule[k]! : 0);
    words.push(type[k]! + 1);
    if (style !== 'atomic') words.push(formatNumber(charge ? charge[k]! : 0));
    for (let axis = 0; axis < 3; axis++) words.push(formatNumber(position[3 * k + axis]!));
    if (image) words.push(image[3 * k]!, image[3 * k + 1]!, image[3 * k + 2]!);
    yield words.join(' ');
  }
}

function* velocities(frame: ParticleFrame, velocity: Float64Array): Generator<string> {
  const shift = firstIdShift(frame);
  for (let k = 0; k < frame.count; k++) {
    const [x, y, z] = [0, 1, 2].map((axis) => formatNumber(velocity[3 * k + axis]!));
    yield `${(frame.id ? frame.id[k]! : k) + shift} ${x} ${y} ${z}`;
  }
}
