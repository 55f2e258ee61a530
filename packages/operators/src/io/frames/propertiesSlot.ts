import { type SlotSpecs, standardBlocks, type ValidationContext } from '@corpuscle/core';

/** The slot of writers that take fields of one's own; `keepsColumn` as in `FrameWriterSpec`. */
export const propertiesSlot = ({ keepsColumn }: { readonly keepsColumn?: unknown }) =>
  ({
    type: 'list',
    of: { type: 'string', names: 'column' },
    doc: `fields of your own (particle_properties), those that analyses before have left in particles, such as q6 and centro_symmetry, and columns that the file of the particles had, that are written too; default ${keepsColumn ? 'these columns' : 'none'}`,
  }) as const;

/** Fields that frames have in columns of their own. */
const PLACED = standardBlocks
  .filter(({ width }) => width > 1)
  .flatMap(({ name, members }) => [name, ...members]);

/** Refuses names of them: those of the last forces, for one, need not have energies. @param checkRest what else is looked at */
export function checkProperties(
  context: ValidationContext<SlotSpecs>,
  checkRest?: (context: ValidationContext<SlotSpecs>) => void,
): void {
  const { slots, fail } = context;
  const given = (slots.properties ?? []) as readonly string[];
  const placed = given.find((name) => PLACED.includes(name));
  if (placed !== undefined)
    fail(
      'properties',
      'INVALID_VALUE',
      `'${placed}' is no field of your own: frames have columns for positions, velocities, forces and energies, see fields`,
    );
  checkRest?.(context);
}
