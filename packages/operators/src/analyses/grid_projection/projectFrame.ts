import { CorpuscleError, type Dimension, dimensions } from '@corpuscle/core';
import { particleEnergies } from '../../forces/currentLedger.js';
import { ledgerKey } from '../../run/stateKeys.js';
import { currentRows, groupSlot } from '../../sets/group/Groups.js';
import type { AnalysisFrame } from '../define/defineAnalysis.js';
import { type Projection, projectParticles } from './projectParticles.js';

/** Slots that say what is projected, and how large voxels are. */
export const voxelSlots = {
  cell_size: {
    type: 'quantity',
    dimension: dimensions.length,
    above: 0,
    doc: 'least width of a cell; default: cells of eight particles on average',
  },
  ...groupSlot,
  subdivisions: { type: 'integer', min: 1, default: 1, doc: 'voxels along each edge of a cell' },
} as const;

/** What is projected, and how large voxels are. */
interface FrameProjection {
  readonly fields: readonly string[];
  readonly cell_size?: number | undefined;
  readonly subdivisions: number;
  readonly group: string;
}

/** The particles of a frame on a grid of voxels, lengths and values in the units of the user. */
export async function projectFrame(
  { state, grid, ctx }: Pick<AnalysisFrame, 'state' | 'grid' | 'ctx'>,
  { fields, cell_size: cellSize, subdivisions, group }: FrameProjection,
): Promise<Projection> {
  if (fields.includes('ep') && state.find(ledgerKey)) await particleEnergies(state);
  const { units } = state.simulation.configuration;
  const rows = await currentRows(state, grid, group);
  const options = { fields, cellSize, subdivisions, rows, boltzmann: units.boltzmann };
  const map = await projectParticles(grid, ctx, options).catch((error: unknown) => {
    if (!(error instanceof CorpuscleError) || error.code !== 'UNKNOWN_FIELD') throw error;
    const message = `${error.message}; projections also know count, density, mass, mass_density, temperature`;
    throw new CorpuscleError('UNKNOWN_FIELD', message, { cause: error });
  });
  const factor = (dimension: Dimension): number => units.fromInternal(1, dimension);
  const length = factor(dimensions.length);
  const scales: Record<string, number> = {
    density: length ** -3,
    mass: factor(dimensions.mass),
    mass_density: factor(dimensions.mass) * length ** -3,
    temperature: factor(dimensions.temperature),
  };
  const scaled = (values: readonly number[]) => values.map((x) => x * length) as never;
  return {
    dims: map.dims,
    origin: scaled(map.origin),
    spacing: scaled(map.spacing),
    fields: Object.fromEntries(
      Object.entries(map.fields).map(([name, values]) => {
        const dimension = grid.hasField(name)
          ? grid.block(grid.field(name).block).spec.dimension
          : undefined;
        const scale = scales[name] ?? (dimension ? factor(dimension) : 1);
        return [name, scale === 1 ? values : values.map((x) => x * scale)];
      }),
    ),
  };
}
