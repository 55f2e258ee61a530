import { type OperatorBundle, type OperatorDefinition, Registry } from '@corpuscle/core';
import { averagesOperator } from './analyses/averages/averagesOperator.js';
import { centroSymmetryOperator } from './analyses/centro_symmetry/centroSymmetryOperator.js';
import { clustersOperator } from './analyses/clusters/clustersOperator.js';
import { commonNeighborsOperator } from './analyses/common_neighbors/commonNeighborsOperator.js';
import { checkIds } from './analyses/coordination/checkIds.js';
import { coordinationOperator } from './analyses/coordination/coordinationOperator.js';
import { coordinationHistogramOperator } from './analyses/coordination_histogram/coordinationHistogramOperator.js';
import { heatFluxAutocorrelationOperator } from './analyses/green_kubo/heatFluxAutocorrelationOperator.js';
import { stressAutocorrelationOperator } from './analyses/green_kubo/stressAutocorrelationOperator.js';
import { checkVoxels } from './analyses/grid_projection/checkVoxels.js';
import { gridProjectionOperator } from './analyses/grid_projection/gridProjectionOperator.js';
import { componentsOperator } from './analyses/grid_values/componentsOperator.js';
import { gridHistogramOperator } from './analyses/grid_values/gridHistogramOperator.js';
import { meanSquareDisplacementOperator } from './analyses/motion/meanSquareDisplacementOperator.js';
import { velocityAutocorrelationOperator } from './analyses/motion/velocityAutocorrelationOperator.js';
import { particleStressOperator } from './analyses/particle_stress/particleStressOperator.js';
import { profileOperator } from './analyses/profiles/profileOperator.js';
import { radialDistributionOperator } from './analyses/rdf/radialDistributionOperator.js';
import { steinhardtOperator } from './analyses/steinhardt/steinhardtOperator.js';
import { structureFactorOperator } from './analyses/structure_factor/structureFactorOperator.js';
import { berendsenBundle } from './barostats/berendsen/berendsenOperators.js';
import { cellRescaleOperator } from './barostats/cell_rescale/cellRescaleOperator.js';
import { barostatsAlone, checkBarostats } from './barostats/checkBarostats.js';
import { noseHoover } from './barostats/nose_hoover/noseHooverOperators.js';
import { bondParticlesOperator } from './bonds/bondParticlesOperator.js';
import { mirrorOperator } from './box/boundaries/mirrorOperator.js';
import { shrinkWrapOperator } from './box/boundaries/shrinkWrapOperator.js';
import { changeBoxOperator } from './box/change_box/changeBoxOperator.js';
import { checkDeform } from './box/deform/checkDeform.js';
import { checkFlow } from './box/deform/checkFlow.js';
import { deformOperator } from './box/deform/deformOperator.js';
import { replicateOperator } from './box/replicate/replicateOperator.js';
import { checkValues } from './control/checkValues.js';
import { computeOperator } from './control/computeOperator.js';
import { measureOperator } from './control/measureOperator.js';
import { messageOperator, printSlotsOperator } from './control/messageOperators.js';
import { memoryStats, neighborStats } from './control/statisticsOperators.js';
import { timestepFile } from './control/timestepFile.js';
import {
  fileExists,
  nthTimestep,
  physicalTimeInterval,
  timerOperator,
} from './control/timingOperators.js';
import { externalForces } from './external/forces/externalForces.js';
import { forcesAfterSet } from './external/forcesAfterSet.js';
import { reflectOperator } from './external/walls/reflectOperator.js';
import { wallOperator } from './external/walls/wallOperator.js';
import { wallsAcrossFaces } from './external/walls/wallsAcrossFaces.js';
import { checkShares } from './forces/checkShares.js';
import { zeroForce } from './forces/zeroForceOperator.js';
import { checkConserved } from './integrators/bathEnergies.js';
import { brownian } from './integrators/brownian/brownian.js';
import { checkEvenSteps } from './integrators/checkEvenSteps.js';
import { prescribedMotion } from './integrators/prescribed_motion/prescribedMotion.js';
import { respa } from './integrators/respa/respa.js';
import { velocityVerlet } from './integrators/velocity_verlet/velocityVerletOperators.js';
import { velocityVerletAdaptive } from './integrators/velocity_verlet_adaptive/velocityVerletAdaptive.js';
import { velocityVerletLimit } from './integrators/velocity_verlet_limit/velocityVerletLimit.js';
import { readDcdOperator, writeDcdOperator } from './io/dcd/dcdOperators.js';
import { readExtendedXyzOperator } from './io/extended_xyz/readExtendedXyzOperator.js';
import { writeExtendedXyzOperator } from './io/extended_xyz/writeExtendedXyzOperator.js';
import { checkMade } from './io/frames/checkMade.js';
import { readGroOperator } from './io/gro/gro.js';
import { readGsdOperator, writeGsdOperator } from './io/gsd/gsdOperators.js';
import { readH5mdOperator, writeH5mdOperator } from './io/h5md/h5mdOperators.js';
import {
  readLammpsDataOperator,
  writeLammpsDataOperator,
} from './io/lammps_data/lammpsDataOperators.js';
import {
  readLammpsDumpOperator,
  writeLammpsDumpOperator,
} from './io/lammps_dump/lammpsDumpOperators.js';
import { readPdbOperator } from './io/pdb/pdb.js';
import { readPoscarOperator } from './io/poscar/poscar.js';
import { writeVtpOperator } from './io/vtp/writeVtpOperator.js';
import { readXtcOperator, writeXtcOperator } from './io/xtc/xtcOperators.js';
import { exactNeighbors, minimizeComposite, minimizeStep } from './minimizers/minimizeOperators.js';
import { dpdOperator } from './potentials/dpd/dpdOperator.js';
import { embeddedAtomOperator } from './potentials/eam/embeddedAtomOperator.js';
import { harmonicBondOperator } from './potentials/harmonic_bond/harmonicBondOperator.js';
import { lennardJonesOperator } from './potentials/lennard_jones/lennardJonesOperator.js';
import { forcesAgainstEnergies } from './potentials/pair/forcesAgainstEnergies.js';
import { pairForceOperator } from './potentials/pair/pairForceOperator.js';
import { anyPairForceOperator } from './potentials/pair_force/anyPairForceOperator.js';
import { pairPotentials } from './potentials/pairPotentials.js';
import { stillingerWeberOperator } from './potentials/stillinger_weber/stillingerWeberOperator.js';
import { suttonChenOperator } from './potentials/sutton_chen/suttonChenOperator.js';
import { tabulatedForceOperator } from './potentials/tabulated/tabulatedForceOperator.js';
import { beginRun, beginStage } from './run/beginRun.js';
import { checkBoxes } from './run/checkBoxes.js';
import { checkLists } from './run/checkLists.js';
import { checkLoops } from './run/checkLoops.js';
import { checkpointOperator } from './run/checkpoint/checkpointOperator.js';
import { defaultDocument } from './run/defaults.js';
import { endTimeStep, nextTimeStep } from './run/nextTimeStep.js';
import { runComposite } from './run/stage.js';
import { thermoOperator } from './run/thermo/thermoOperator.js';
import { updateNeighborsOperator } from './run/updateNeighborsOperator.js';
import { changesOfFollowed } from './sets/change/changesOfFollowed.js';
import { createParticlesOperator } from './sets/change/createParticlesOperator.js';
import { deleteParticlesOperator } from './sets/change/deleteParticlesOperator.js';
import { displaceParticlesOperator } from './sets/change/displaceParticlesOperator.js';
import { gaussianNoiseOperator } from './sets/change/gaussianNoiseOperator.js';
import { setOperator } from './sets/change/setOperator.js';
import { checkRegions } from './sets/checkRegions.js';
import { checkSets } from './sets/checkSets.js';
import { groupOperator } from './sets/group/groupOperator.js';
import { particlePropertiesOperator } from './sets/properties/particleProperties.js';
import { regionOperator } from './sets/region/regionOperator.js';
import { domainOperator } from './system/domain/domainOperator.js';
import { latticeOperator } from './system/lattice/latticeOperator.js';
import { initTemperatureOperator } from './system/velocities/initTemperatureOperator.js';
import { removeMomentumOperator } from './thermostats/remove_momentum/removeMomentumOperator.js';
import { thermostats } from './thermostats/thermostats.js';
import { thermostatsTogether } from './thermostats/thermostatsTogether.js';

/** What `numerical_scheme` can name. */
const integrators: readonly OperatorBundle[] = [
  velocityVerlet,
  velocityVerletLimit,
  velocityVerletAdaptive,
  brownian,
  respa,
  prescribedMotion,
  noseHoover,
  berendsenBundle,
  ...thermostats,
];

/** What looks at particles and changes nothing. */
const analyses: readonly OperatorDefinition[] = [
  coordinationOperator,
  coordinationHistogramOperator,
  radialDistributionOperator,
  gridProjectionOperator,
  gridHistogramOperator,
  componentsOperator,
  particleStressOperator,
  structureFactorOperator,
  heatFluxAutocorrelationOperator,
  steinhardtOperator,
  averagesOperator,
  meanSquareDisplacementOperator,
  velocityAutocorrelationOperator,
  stressAutocorrelationOperator,
  profileOperator,
  clustersOperator,
  centroSymmetryOperator,
  commonNeighborsOperator,
];

/** What decides, computes between slots, and tells. */
const control: readonly OperatorDefinition[] = [
  computeOperator,
  measureOperator,
  messageOperator,
  printSlotsOperator,
  nthTimestep,
  physicalTimeInterval,
  timerOperator,
  fileExists,
  timestepFile,
  checkValues,
  memoryStats,
  neighborStats,
];

/** What is looked at when a file has been read. */
const checks = [
  checkLists,
  checkBoxes,
  checkMade,
  checkShares,
  checkIds,
  checkVoxels,
  checkLoops,
  checkDeform,
  checkFlow,
  checkBarostats,
  checkConserved,
  checkEvenSteps,
  checkRegions,
  checkSets,
];

/** What is only warned of. */
const advice = [
  barostatsAlone,
  thermostatsTogether,
  forcesAfterSet,
  forcesAgainstEnergies,
  wallsAcrossFaces,
  changesOfFollowed,
];

/**
 * A registry with everything a YAML file can name. Add your own operators to it.
 *
 * @example
 * const simulation = loadSimulation(['melt.yaml'], { operators: createRegistry().add(myOperator) });
 */
export function createRegistry(): Registry {
  const registry = new Registry();
  for (const check of checks) registry.addCheck(check);
  for (const one of advice) registry.addAdvice(one);
  for (const integrator of integrators) registry.addBundle(integrator);
  return registry
    .add(
      latticeOperator,
      domainOperator,
      readExtendedXyzOperator,
      readLammpsDumpOperator,
      readLammpsDataOperator,
      readDcdOperator,
      readXtcOperator,
      readGsdOperator,
      readH5mdOperator,
      readGroOperator,
      readPdbOperator,
      readPoscarOperator,
      initTemperatureOperator,
      removeMomentumOperator,
      regionOperator,
      groupOperator,
      createParticlesOperator,
      deleteParticlesOperator,
      particlePropertiesOperator,
      setOperator,
      displaceParticlesOperator,
      gaussianNoiseOperator,
      beginRun,
      beginStage,
      updateNeighborsOperator,
      zeroForce,
      lennardJonesOperator,
      ...pairPotentials.map(pairForceOperator),
      anyPairForceOperator(),
      dpdOperator,
      tabulatedForceOperator,
      stillingerWeberOperator,
      suttonChenOperator,
      embeddedAtomOperator,
      bondParticlesOperator,
      harmonicBondOperator,
      deformOperator,
      changeBoxOperator,
      mirrorOperator,
      shrinkWrapOperator,
      cellRescaleOperator,
      replicateOperator,
      ...externalForces,
      wallOperator,
      reflectOperator,
      nextTimeStep,
      endTimeStep,
      thermoOperator,
      checkpointOperator,
      writeExtendedXyzOperator,
      writeLammpsDumpOperator,
      writeLammpsDataOperator,
      writeDcdOperator,
      writeXtcOperator,
      writeGsdOperator,
      writeH5mdOperator,
      writeVtpOperator,
      exactNeighbors,
      minimizeStep,
      ...analyses,
      ...control,
    )
    .markBuiltIn()
    .addHook(
      {
        name: 'setup_system',
        doc: 'makes or reads the particles',
        required: true,
        runsOnce: true,
      },
      { name: 'compute_force', doc: 'adds the forces of all potentials', required: true },
      {
        name: 'after_drift',
        doc: 'runs in every step when particles have moved, before lists and forces: walls that reflect',
      },
      { name: 'first_iteration', doc: 'runs once, after the first forces' },
      { name: 'dump_data', doc: 'runs after the first forces and after every step' },
      {
        name: 'simulation_epilog',
        doc: 'runs once, after the last step, also of an interrupted run',
        isEpilog: true,
      },
    )
    .addComposite(runComposite, minimizeComposite)
    .addDefaults('molecular_dynamics', defaultDocument);
}
