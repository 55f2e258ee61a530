import {
  type BatchNode,
  CorpuscleError,
  Domain,
  type OperatorNode,
  operatorsOf,
  type Simulation,
} from '@corpuscle/core';
import { type LatticeOptions, latticeEdges } from '../system/lattice/lattice.js';
import { known, writtenCutoffs } from './cutoffs.js';
import { divisionOf } from './listBackend.js';

/** Operators that leave the box as it is. Any other may make it wider. */
const HARMLESS = new Set([
  ...['init_temperature', 'remove_momentum', 'gaussian_noise', 'set', 'set_force'],
  ...['region', 'group', 'create_particles', 'delete_particles', 'particle_properties'],
  ...['message', 'print_slots', 'compute', 'timer', 'bond_particles'],
]);

/**
 * What is wrong with the neighbor lists of a simulation as far as its file says: cutoffs that the box is too thin for, where a
 * lattice or `domain` makes the box and nothing that runs before the first lists changes it; and forces that would need
 * lists on two engines.
 */
export function checkLists(simulation: Simulation): readonly CorpuscleError[] {
  const mistakes: CorpuscleError[] = [];
  const cutoffs = [...operatorsOf(simulation.root)].flatMap(writtenCutoffs);
  const divided = divisionOf(cutoffs.map(({ node }) => node));
  if (divided) mistakes.push(divided);
  const domain = firstBox(simulation.root);
  if (!domain) return mistakes;
  for (const { rcut, location } of cutoffs) {
    try {
      domain.checkReach(rcut);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      mistakes.push(
        new CorpuscleError(error.code, error.message, { ...(location && { location }) }),
      );
    }
  }
  return mistakes;
}

/** The box in which the first lists are built; null where only a run knows it. */
function firstBox(root: BatchNode): Domain | null {
  let domain: Domain | null = null;
  for (const node of operatorsBefore(root)) {
    if (node === null) return null;
    const { name } = node.definition;
    if (name === 'begin_run' || writtenCutoffs(node).length > 0) return domain;
    if (name === 'lattice' || name === 'domain') {
      if (domain) return null;
      domain = name === 'lattice' ? boxOfLattice(node) : boxOfDomain(node);
      if (!domain) return null;
    } else if (!HARMLESS.has(name)) return null;
  }
  return null;
}

/** Operators in their order; null for a batch that may not run, or run again. */
function* operatorsBefore(batch: BatchNode): Generator<OperatorNode | null> {
  for (const node of batch.body) {
    if (node.kind === 'operator') yield node;
    else if (node.condition || node.loop) yield null;
    else yield* operatorsBefore(node);
  }
}

const givenTo = <T>(node: OperatorNode, slot: string): T | undefined =>
  known(node, slot)?.value as T | undefined;

function boxOfLattice(node: OperatorNode): Domain | null {
  const structure = givenTo<LatticeOptions['structure']>(node, 'structure');
  const repeat = givenTo<LatticeOptions['repeat']>(node, 'repeat');
  const density = givenTo<number>(node, 'density');
  const constant = givenTo<number>(node, 'lattice_constant');
  if (!structure || !repeat || (density === undefined) === (constant === undefined)) return null;
  const size = density === undefined ? { latticeConstant: constant! } : { density };
  const [x, y, z] = latticeEdges({ structure, repeat, ...size });
  return Domain.triclinic([x, 0, 0, 0, y, 0, 0, 0, z]);
}

function boxOfDomain(node: OperatorNode): Domain | null {
  const upper = givenTo<readonly number[]>(node, 'upper');
  const [x, y, z] = givenTo<readonly number[]>(node, 'lower') ?? [0, 0, 0];
  const [a = true, b = true, c = true] = givenTo<readonly boolean[]>(node, 'periodic') ?? [];
  if (!upper) return null;
  const [ax, by, cz] = [upper[0]! - x!, upper[1]! - y!, upper[2]! - z!];
  return Domain.triclinic([ax, 0, 0, 0, by, 0, 0, 0, cz], { periodic: [a, b, c] });
}
