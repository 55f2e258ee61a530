/** What buffers of kernels hold, by name; those of a grid's blocks are described where they are bound. */
const BUFFERS: Readonly<Record<string, string>> = {
  position: 'relative position and packed cell of each row',
  start: 'first row of each cell',
  counts: 'neighbors of each row; bit 31: some in its wave are periodic images',
  entries:
    'neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)',
  most: 'longest list that a search found',
  reference: 'positions for which the lists were built',
  candidates: 'positions in half the memory, as the sort packs them',
  flags: 'image flags: boxes that were taken off positions',
  scratch: 'counts, totals and chains of cells during a sort',
  displacements: 'records of displacements since the lists were built',
  partials: 'partial results, one a workgroup',
  chunkSums: 'workgroups that are done, and what they have found',
  results: 'results that go to the host',
  result: 'results that go to the host',
  tables: 'tables of the functors, one after another',
  rows: 'rows that take part',
  scattered: 'what neighbors receive, summed in whole numbers',
  fault: 'the first write outside an array',
};

/** What parameters of kernels mean, by name. */
const PARAMS: Readonly<Record<string, string>> = {
  dims: 'cells along x, y and z',
  periodic: '1 along periodic axes',
  edgeA: 'edges of a cell',
  edgeB: '',
  edgeC: '',
  center: 'center of the first cell',
  inverseX: 'position in cells = vector · inverse',
  inverseY: '',
  inverseZ: '',
  highA: 'edges in two parts, so that their multiples are exact',
  toOld: 'from the frame before to this one',
  oldHighA: 'edges of the frame before',
  shift: 'between the first cells of both frames',
  same: '1 if the frame stays',
  reach: 'cells that the radius reaches along each axis',
  radius2: 'square of the radius of the lists: cutoff plus skin',
  rcut2: 'square of the cutoff',
  near2: 'square of the radius of the coarse test',
  headA: 'edges of a cell in three floats, the first ones multiples of a grain',
  tailA: '',
  restA: '',
  grain: 'what high parts of positions are whole multiples of',
  perGrain: '1 / grain, a power of two',
  first: 'rows of this dispatch: first … end − 1',
  end: '',
  firstGroup: 'number of the first workgroup',
  groups: 'workgroups of the whole call',
  stride: 'entry k of a row is entries[k · stride + row]',
  columns: 'vectors that a list has room for',
  capacity: 'neighbors that a list has room for',
  count: 'particles',
  at: 'where the result goes',
  perBoxX: 'boxes = vector · perBox',
  perBoxY: '',
  perBoxZ: '',
  perCell: 'units of packed positions in a cell, and in a length',
  perLength: '',
  one: '1, read at run time: compilers must not rearrange sums',
  steps: 'steps of the series',
  met: 'how often workgroups have met before it, and before the probe',
  probed: '',
  slot: 'record of this update',
  list: 'list of fast particles',
  mostFast: 'fast particles that it has room for',
  tau2: 'square of the displacement beyond which a particle is fast',
  // Parts of the scratch begin at these words.
  last: 'where the scratch has the particle that came last to each cell',
  earlier: 'where it has the one before each particle in its cell',
  counts: 'where it has the number of particles of each cell',
  totals: 'the same of each tile of cells',
  before: 'the same of the sort before, to be cleared',
  used: 'how many there are of these',
  members: 'where it has the particles of each cell, side by side',
  place: 'where it has the row that each particle comes from',
  rows: 'particles and padding',
  cells: 'cells, and tiles of cells',
  tiles: '',
  tileBits: 'a tile has 2^tileBits cells',
};

/** What a buffer holds; empty where it is not described. */
export function bufferMeaning(name: string): string {
  const [, way, number] = /^(before|after)_(\d+)$/.exec(name) ?? [];
  if (way) return `block ${number} ${way} the sort`;
  return BUFFERS[name] ?? '';
}

/** What a parameter means; those of functors have the functor's own names. */
export function paramMeaning(
  name: string,
  functors: Readonly<Record<string, string>> = {},
): string {
  const [, mark, kind, own] = /^(?:([a-z]\d+)_)?([ptn])_(\w+)$/.exec(name) ?? [];
  if (!kind) return (/^sum_\d+$/.test(name) ? PARAMS.at : PARAMS[name]) ?? '';
  const of = mark ? ` of ${functors[mark] ?? mark}` : '';
  if (own === '__rcut2') return `square of the call's cutoff`;
  if (kind === 'p') return `p.${own}${of}`;
  return kind === 't' ? `where table p.${own}${of} begins` : `length of table p.${own}${of}`;
}
