import type { KernelBuffer, KernelSource } from '../device/GpuKernel.js';
import type { DeviceType } from '../residency/DeviceBlock.js';
import { read, written } from './rowBuffers.js';

type Scalar = DeviceType['scalar'];
type Adding = (scalar: Scalar) => KernelSource;

/** Words that a number of a block has: high parts of a row come before its low parts. */
export const wordsOfNumber = (scalar: Scalar): number => (scalar === 'vec2f' ? 2 : 1);

/** A kernel that adds numbers of rows, one thread a number. @param from row in `packed`. @param to row in `own` */
function adding(
  { label, about, from, to }: { label: string; about: string; from: string; to: string },
  rows: readonly KernelBuffer[],
): Adding {
  const made = new Map<Scalar, KernelSource>();
  const sourceFor = (scalar: Scalar): KernelSource => {
    const type = scalar === 'vec2f' ? 'f32' : scalar;
    const pair = (name: string) => `vec2f(${name}[${name}At], ${name}[${name}At + P.numbers])`;
    return {
      label: `halo: ${label}`,
      about,
      workgroupSize: 128,
      buffers: [
        read('packed', 'numbers that are added', type),
        ...rows,
        written('own', 'numbers of the particles of the rank', type),
      ],
      params: { first: 'u32', count: 'u32', numbers: 'u32' },
      body: `
  if (index < P.count * P.numbers) {
    let k = index / P.numbers;
    let part = index - k * P.numbers;
    let packedAt = ${from} * ${wordsOfNumber(scalar)}u * P.numbers + part;
    let ownAt = ${to} * ${wordsOfNumber(scalar)}u * P.numbers + part;
    ${
      scalar === 'vec2f'
        ? `let sum = ds_add(${pair('own')}, ${pair('packed')});
    own[ownAt] = sum.x;
    own[ownAt + P.numbers] = sum.y;`
        : 'own[ownAt] += packed[packedAt];'
    }
  }`,
    };
  };
  return (scalar) => {
    const source = made.get(scalar) ?? sourceFor(scalar);
    made.set(scalar, source);
    return source;
  };
}

/** What border particles have received, added to what they have. */
export const addRows = adding(
  {
    label: 'add border',
    about:
      'Adds what border particles have received in the halo to what they have, one thread a number.',
    from: 'seenTo[P.first + k]',
    to: 'borderFrom[k]',
  },
  [
    read('seenTo', 'rows of ghosts, then of border particles'),
    read('borderFrom', 'rows of border particles in the grid of the rank'),
  ],
);

/** What ghosts have received on another rank, added to what their particles have. The rows that one rank sees as one image are not twice there. */
export const addShares = adding(
  {
    label: 'add shares',
    about:
      'Adds what particles have received on other ranks as ghosts to what they have, one thread a number.',
    from: '(P.first + k)',
    to: 'rowsTo[P.first + k]',
  },
  [read('rowsTo', 'rows that are written')],
);
