import { limits } from '@corpuscle/core';
import { isElement } from '../chemicalElements.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { failAt } from '../failAt.js';
import { bareFrame } from '../frames/bareFrame.js';
import { cosineOf, latticeOf } from '../frames/cell.js';
import type { FrameReadOptions } from '../frames/FrameFormat.js';
import { parseNumber } from '../frames/parseNumber.js';
import { TextSource } from '../frames/TextSource.js';

/** A model while it is read. */
interface Model {
  readonly position: number[];
  readonly type: number[];
  readonly firstLine: number;
}

/**
 * Reads the models of a PDB file: positions in ångström, elements as types, and the box of CRYST1. Columns (from 1):
 *
 *   ATOM, HETATM   13–16 name | 31–38 x | 39–46 y | 47–54 z | 77–78 element        CRYST1   7–15 a | 16–24 b | 25–33 c | 34–40 α | 41–47 β | 48–54 γ
 *
 * Without an element the name tells it. Ids count from 0 in the order of the file. Of alternate locations the first is read.
 *
 * @throws CorpuscleError FILE_NOT_FOUND, FILE_FORMAT with file and line
 */
export async function* readPdb(
  file: string,
  _options: FrameReadOptions = {},
): AsyncGenerator<ParticleFrame, void> {
  const source = await TextSource.open(file);
  const species: string[] = [];
  let lattice: readonly number[] | null = null;
  let model: Model | null = null;
  try {
    for (;;) {
      const text = source.take() ?? (await source.next());
      const record = text === null ? 'END' : text.slice(0, 6).trim();
      if (record === 'CRYST1') lattice = readCell(source, text!);
      else if (record === 'ATOM' || record === 'HETATM') {
        model ??= { position: [], type: [], firstLine: source.line };
        readAtom(source, text!, model, species);
      } else if ((record === 'ENDMDL' || record === 'END') && model) {
        yield frameOf(model, lattice, species, source.file);
        model = null;
      }
      if (text === null) return;
    }
  } finally {
    await source.close();
  }
}

function readCell(source: TextSource, text: string): readonly number[] | null {
  const [a, b, c, alpha, beta, gamma] = [
    [6, 15],
    [15, 24],
    [24, 33],
    [33, 40],
    [40, 47],
    [47, 54],
  ].map(([from, to]) =>
    parseNumber(source, text, text.slice(from, to).trim(), 'the unit cell'),
  ) as [...[number, number, number], ...[number, number, number]];
  // A cell of 1 Å stands for none, in files of programs that must write one.
  if (a <= 1 && b <= 1 && c <= 1) return null;
  const cosines = [cosineOf(alpha), cosineOf(beta), cosineOf(gamma)] as const;
  const lattice = latticeOf({ lengths: [a, b, c], cosines });
  return lattice ?? failAt(source, text, 7, 'there is no box of these lengths and angles');
}

function readAtom(source: TextSource, text: string, model: Model, species: string[]): void {
  const alternate = text[16];
  if (alternate !== ' ' && alternate !== 'A' && alternate !== '1' && alternate !== undefined)
    return;
  for (const from of [30, 38, 46])
    model.position.push(parseNumber(source, text, text.slice(from, from + 8).trim(), 'a position'));
  const name = elementOf(text);
  let index = species.indexOf(name);
  if (index < 0) index = species.push(name) - 1;
  if (species.length > limits.species)
    failAt(source, text, 13, `more than ${limits.species} types`);
  model.type.push(index);
}

/** The element, or what of the name of the atom is one; else the name. */
function elementOf(text: string): string {
  const proper = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase();
  const element = proper(text.slice(76, 78).trim());
  if (isElement(element)) return element;
  const name = text.slice(12, 16);
  const letters = name.replace(/[^A-Za-z]/g, '');
  // Elements of one letter begin in column 14, those of two in column 13.
  const two = /^[A-Za-z]{2}/.test(name) ? proper(letters.slice(0, 2)) : '';
  if (two !== '' && isElement(two)) return two;
  const one = letters.slice(0, 1).toUpperCase();
  return isElement(one) ? one : name.trim() || 'X';
}

function frameOf(
  { position, type, firstLine }: Model,
  lattice: readonly number[] | null,
  species: readonly string[],
  file: string,
): ParticleFrame {
  return {
    ...bareFrame(Float64Array.from(position), lattice, undefined),
    species: [...species],
    type: Uint32Array.from(type),
    source: { file, firstLine },
  };
}
