import { CorpuscleError } from '@corpuscle/core';
import { utf8 } from '@corpuscle/core/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { formatNumber } from '../formatNumber.js';
import { firstIdShift } from '../frames/firstId.js';
import { standardBox, withBox } from '../frames/standardBox.js';
import { textTable } from '../text/textTable.js';
import { dumpColumn, extraColumns, presentColumns } from './dumpColumns.js';

/**
 * A frame as LAMMPS's `dump custom` writes it, as the bytes of its text. Bounds of a tilted box are those of the smallest upright box around it:
 *
 *   xlo_bound = xlo + min(0, xy, xz, xy + xz)    xhi_bound = xhi + max(0, xy, xz, xy + xz)    ylo_bound = ylo + min(0, yz) …
 *
 * Ids are positive in LAMMPS: where a particle has id 0, all are one more.
 *
 * @param columns names of LAMMPS, before the frame's numbers of molecules and extra columns; default all that the frame holds
 * @throws CorpuscleError INVALID_VALUE for a column that the frame does not have, or that does not exist
 */
export function* formatLammpsDump(
  given: ParticleFrame,
  columns?: readonly string[],
): Generator<Uint8Array> {
  const frame = standardBox(withBox(given));
  const molecule = frame.molecule ? ['mol'] : [];
  const names = columns
    ? [...new Set([...columns, ...molecule, ...extraColumns(frame)])]
    : presentColumns(frame);
  const shift = firstIdShift(frame);
  const words = names.map((name) => {
    const column = dumpColumn(frame, name, shift);
    if (column) return column;
    throw new CorpuscleError('INVALID_VALUE', `the frame has nothing for the column '${name}'`);
  });
  yield utf8(`${header(frame)}ITEM: ATOMS ${names.join(' ')}\n`);
  yield* textTable(words, frame.count);
}

function header(frame: ParticleFrame): string {
  const [lx, , , xy, ly, , xz, yz, lz] = frame.lattice! as number[];
  const low = frame.origin;
  const high = [low[0] + lx!, low[1] + ly!, low[2] + lz!];
  const tilts = [xy!, xz!, yz!];
  const isTilted = tilts.some((tilt) => tilt !== 0);
  const reach = [[0, xy!, xz!, xy! + xz!], [0, yz!], [0]];
  const bounds = reach.map((shifts, axis) =>
    [
      low[axis]! + Math.min(...shifts),
      high[axis]! + Math.max(...shifts),
      ...(isTilted ? [tilts[axis]!] : []),
    ]
      .map(formatNumber)
      .join(' '),
  );
  const flags = frame.periodic.map((isPeriodic) => (isPeriodic ? 'pp' : 'ff')).join(' ');
  const time = frame.time === undefined ? '' : `ITEM: TIME\n${formatNumber(frame.time)}\n`;
  return (
    `${time}ITEM: TIMESTEP\n${frame.step ?? 0}\nITEM: NUMBER OF ATOMS\n${frame.count}\n` +
    `ITEM: BOX BOUNDS ${isTilted ? 'xy xz yz ' : ''}${flags}\n${bounds.join('\n')}\n`
  );
}
