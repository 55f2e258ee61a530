import { Registry } from '@corpuscle/core';
import { pairPotentials } from '../potentials/pairPotentials.js';
import { beginRun } from './beginRun.js';
import { bondParticlesOperator } from './bondParticlesOperator.js';
import { coordinationHistogramOperator } from './coordinationHistogramOperator.js';
import { coordinationOperator } from './coordinationOperator.js';
import { defaultDocument } from './defaults.js';
import { embeddedAtomOperator } from './embeddedAtomOperator.js';
import { gridProjectionOperator } from './gridProjectionOperator.js';
import { harmonicBondOperator } from './harmonicBondOperator.js';
import { initTemperatureOperator } from './initTemperatureOperator.js';
import { latticeOperator } from './latticeOperator.js';
import { lennardJonesOperator } from './lennardJonesOperator.js';
import { endTimeStep, nextTimeStep } from './nextTimeStep.js';
import { pairForceOperator } from './pairForceOperator.js';
import { radialDistributionOperator } from './radialDistributionOperator.js';
import { readExtendedXyzOperator } from './readExtendedXyzOperator.js';
import { steinhardtOperator } from './steinhardtOperator.js';
import {
  pushVelocity,
  pushVelocityAndPosition,
  updateNeighboursOperator,
  zeroForce,
} from './steps.js';
import { stillingerWeberOperator } from './stillingerWeberOperator.js';
import { suttonChenOperator } from './suttonChenOperator.js';
import { tabulatedForceOperator } from './tabulatedForceOperator.js';
import { thermoOperator } from './thermoOperator.js';
import { writeExtendedXyzOperator } from './writeExtendedXyzOperator.js';

/**
 * A registry with everything a YAML file can name. Add your own operators to it.
 *
 * @example
 * const simulation = loadSimulation(['melt.yaml'], { operators: createRegistry().add(myOperator) });
 */
export function createRegistry(): Registry {
  return new Registry()
    .add(
      latticeOperator,
      readExtendedXyzOperator,
      initTemperatureOperator,
      beginRun,
      updateNeighboursOperator,
      zeroForce,
      lennardJonesOperator,
      ...pairPotentials.map(pairForceOperator),
      tabulatedForceOperator,
      stillingerWeberOperator,
      suttonChenOperator,
      embeddedAtomOperator,
      bondParticlesOperator,
      harmonicBondOperator,
      pushVelocityAndPosition,
      pushVelocity,
      nextTimeStep,
      endTimeStep,
      thermoOperator,
      writeExtendedXyzOperator,
      coordinationOperator,
      coordinationHistogramOperator,
      radialDistributionOperator,
      gridProjectionOperator,
      steinhardtOperator,
    )
    .addHook(
      { name: 'setup_system', doc: 'makes or reads the particles', required: true },
      { name: 'compute_force', doc: 'adds the forces of all potentials', required: true },
      { name: 'first_iteration', doc: 'runs once, after the first forces' },
      { name: 'dump_data', doc: 'runs after the first forces and after every step' },
      { name: 'simulation_epilog', doc: 'runs once, after the last step' },
    )
    .addDefaults('molecular_dynamics', defaultDocument);
}
