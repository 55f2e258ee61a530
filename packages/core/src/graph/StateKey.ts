declare const valueType: unique symbol;

/**
 * Names one typed entry of the SimulationState, such as the grid. The package that owns the type makes the key.
 *
 * @example
 * export const gridKey = stateKey<Grid>('grid', 'the particles: put lattice or read_extended_xyz first');
 */
export interface StateKey<T> {
  readonly name: string;
  /** What it is and how to get it; ends the error message when it is missing. */
  readonly doc: string;
  readonly [valueType]?: T;
}

export function stateKey<T>(name: string, doc: string): StateKey<T> {
  return { name, doc };
}
