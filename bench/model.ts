// What a step of the melt takes on many threads, ranks and cards: a model of measured constants, beside what was measured.
//
//   npx tsx bench/model.ts
//
//   step = work of N / P particles × (1 + what ghosts cost) + halo + latency
//
// Bricks come of the bisection that ranks make (Decomposition): the longest side is cut first. Several cards are a prediction; what two
// have been measured to take is in docs/scale.md, beside these tables.
import { system } from './melt/system.js';
import { table } from './support/table.js';

/** Threads (scaling.ts, host of 16 cores, f64, lists every 20 steps; RESULTS.md). */
const threads = {
  /** 16 processes that share nothing ÷ one: what the cores of the host give at most. */
  cores: 12.2,
  /** Rows that went through buffers for each particle on 16 threads while layers divided them (TRIED.md), and 16 threads ÷ one. */
  measured: [
    { particles: 256_000, rows: 1.5, gain: 7.5 },
    { particles: 32_000, rows: 2.7, gain: 4.7 },
  ],
} as const;

/** Ranks of one thread (ranks.ts --lists exact, 2 busy cores, f64; RESULTS.md): processor time of all ÷ that of one rank. */
const ranks = [
  { particles: 32_000, ranks: 2, processor: 1.88 },
  { particles: 32_000, ranks: 4, processor: 2.97 },
  { particles: 256_000, ranks: 2, processor: 1.42 },
] as const;
/** Atom-steps/s of one rank with a core for itself (lj-cpu.ts, f64, exact lists, 256k; RESULTS.md). */
const rankRate = 5.46e6;
/** Seconds of a message of 8 bytes between processes of one host (MPI ping-pong: 0.5 to 1.5 µs). */
const message = 1.5e-6;

/** One H200, f32 (lj-gpu.ts, RESULTS.md): particles, and seconds a step. */
const cardSteps = [
  [32_000, 0.0221e-3],
  [256_000, 0.0747e-3],
  [1_048_576, 0.2457e-3],
  [16_693_124, 4.17e-3],
] as const;
/** The part of a step that sorts and builds lists, which ghosts are part of too (ARCHITECTURE.md, debts). */
const listShare = 0.25;
/** Bytes of a ghost that travel in a step in f32: a position. */
const ghostBytes = 8;
const MiB = 2 ** 20;
/** Through the host, measured with Dawn on that card: bytes, and seconds until a copy on the device has been mapped. */
const mapped = [
  [64 * 1024, 0.036e-3],
  [MiB, 0.062e-3],
  [10 * MiB, 0.27e-3],
  [64 * MiB, 1.5e-3],
] as const;
/** Seconds a byte: out of a mapped buffer, and up to the card by writes of 1 MiB. A message is taken to cost as much as the first. */
const copied = 0.77e-3 / (10 * MiB);
const uploaded = 0.074e-3 / MiB;

/** What a brick of a cubic box has: its ghosts for each particle of it, and its neighbors. */
function brickOf(particles: number, parts: number) {
  const box = Math.cbrt(particles / system.density);
  const sides = [box, box, box];
  for (let left = parts; left > 1; left /= 2) sides[sides.indexOf(Math.max(...sides))]! /= 2;
  const reach = system.rcut + system.skin;
  const wide = sides.map((side) => (side < box ? side + 2 * reach : side));
  const volume = (of: readonly number[]) => of.reduce((product, side) => product * side, 1);
  const split = sides.filter((side) => side < box).length;
  return {
    ghosts: volume(wide) / volume(sides) - 1,
    neighbors: Math.min(parts - 1, 3 ** split - 1),
  };
}

/** A value between measured ones, in proportion to the logarithms; beyond the last in proportion. */
function between(known: readonly (readonly [number, number])[], x: number): number {
  if (x <= known[0]![0]) return known[0]![1];
  const above = known.findIndex(([at]) => at >= x);
  const [last, most] = known.at(-1)!;
  if (above < 0) return (most * x) / last;
  const [[x0, y0], [x1, y1]] = [known[above - 1]!, known[above]!];
  return y0 * (y1 / y0) ** (Math.log(x / x0) / Math.log(x1 / x0));
}

/** Seconds of a step on cards: where the halo is waited for, and where it travels during the inner pairs as far as they last. */
function cardStep(particles: number, cards: number) {
  const own = particles / cards;
  const { ghosts, neighbors } = brickOf(particles, cards);
  const work = between(cardSteps, own) * (1 + listShare * ghosts);
  if (cards === 1) return { waited: work, hidden: work };
  const bytes = ghosts * own * ghostBytes;
  const perNeighbor = neighbors * (between(mapped, bytes / neighbors) - mapped[0][1] + message);
  const halo = mapped[0][1] + perNeighbor + bytes * (2 * copied + uploaded);
  const inner = Math.max(0, 1 - ghosts / 2);
  return { waited: work + halo, hidden: work * (1 - inner) + Math.max(work * inner, halo) };
}

/** What a ghost costs a rank, in particles: of the first measured run, the others test it. */
const first = ranks[0];
const ghostCost = (first.processor - 1) / brickOf(first.particles, first.ranks).ghosts;

function rankStep(particles: number, parts: number): number {
  const { ghosts, neighbors } = brickOf(particles, parts);
  const own = particles / parts;
  return (own / rankRate) * (1 + ghostCost * ghosts) + (neighbors + Math.log2(parts)) * message;
}

const percent = (x: number) => `${(100 * x).toFixed(0)} %`;
const print = (title: string, ...args: Parameters<typeof table>) =>
  console.log(`${title}\n\n${table(...args)}\n`);

const rowCost = (threads.cores / threads.measured[0].gain - 1) / threads.measured[0].rows;
print(
  `16 threads: ${threads.cores} ÷ (1 + ${rowCost.toFixed(2)} × rows in buffers); the first row is fitted`,
  ['particles', 'rows a particle', 'model', 'measured'],
  threads.measured.map(({ particles, rows, gain }) => [
    particles,
    rows,
    (threads.cores / (1 + rowCost * rows)).toFixed(1),
    gain,
  ]),
);
print(
  `Processor time of ranks: 1 + ${ghostCost.toFixed(1)} × ghosts; the first row is fitted`,
  ['particles', 'ranks', 'ghosts a particle', 'model', 'measured'],
  ranks.map(({ particles, ranks: parts, processor }) => {
    const { ghosts } = brickOf(particles, parts);
    return [particles, parts, ghosts.toFixed(2), (1 + ghostCost * ghosts).toFixed(2), processor];
  }),
);

const counts = [1, 2, 4, 8, 16, 32, 64];
const rankSizes = [32_000, 256_000, 1_000_000];
print(
  'Ranks, each with a core for itself, weak scaling: efficiency by particles of a rank',
  ['ranks', ...rankSizes.map(String)],
  counts.map((parts) => [
    parts,
    ...rankSizes.map((own) => percent(rankStep(own, 1) / rankStep(own * parts, parts))),
  ]),
);

const cardSizes = [1_048_576, 16_000_000];
const bounds = (of: (step: 'waited' | 'hidden') => string) => `${of('waited')} … ${of('hidden')}`;
print(
  'Cards, predicted, weak scaling by particles of a card: efficiency and atom-steps/s, halo waited for … hidden',
  ['cards', ...cardSizes.flatMap((own) => [`${own}`, 'atom-steps/s'])],
  counts.map((cards) => [
    cards,
    ...cardSizes.flatMap((own) => {
      const [one, many] = [cardStep(own, 1), cardStep(own * cards, cards)];
      return [
        bounds((kind) => percent(one[kind] / many[kind])),
        bounds((kind) => ((own * cards) / many[kind]).toExponential(1)),
      ];
    }),
  ]),
);
const wholes = [4_000_000, 64_000_000];
print(
  'Cards, predicted, strong scaling by particles in all: gain, halo waited for … hidden',
  ['cards', ...wholes.map(String)],
  counts.map((cards) => [
    cards,
    ...wholes.map((all) =>
      bounds((kind) => (cardStep(all, 1)[kind] / cardStep(all, cards)[kind]).toFixed(1)),
    ),
  ]),
);
