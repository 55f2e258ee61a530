import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files that take long on a software adapter: vitest, which knows sizes only, would begin them last, alone on one core. */
const slow =
  /oracle\/(coordination|manyBodyGpu|webgpu|potentials|pairStyles)|gpu\/(adapted|pairs|allPairs)|docs\.test|replicas\.test|statistics\/|webgl\/test\/patterns|cpu\/pair\/(adapted|cpuPairs)|patterns\.double|ranks\/runs|[kK]ills\.test|reliability\/(endless|repeats)|boxesGpu|packagesInPage|checkpoint\w*\.test|changingBonds/;

/**
 * The order of test files: those with a process of their own, then those that take longest, then the others in the usual order.
 * Vitest ends a process that files share when the next file in line wants one of its own: what it has loaded and compiled is lost.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const orderOf = ({ moduleId, project }: TestSpecification): number => {
      if (project.config.isolate) return 0;
      return slow.test(moduleId) ? 1 : 2;
    };
    return usual.sort((a, b) => orderOf(a) - orderOf(b));
  }
}
