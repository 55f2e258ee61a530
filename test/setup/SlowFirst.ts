import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Their processes load what is built: they have a core while vitest's own process makes JavaScript of sources that all others load. */
const first = /\/docs\.test|ranks\/cards/;

/** Short files that take long on a software adapter: vitest, which knows sizes only, would begin them last, alone on one core. */
const slow =
  /oracle\/(coordination|manyBodyGpu|webgpu|potentials|pairStyles)|gpu\/(adapted|pairs|allPairs)|replicas\.test|statistics\/|webgl\/test\/patterns|cpu\/pair\/(adapted|cpuPairs)|patterns\.double|ranks\/runs|[kK]ills\.test|reliability\/(endless|repeats)|boxesGpu|packagesInPage|checkpoint\w*\.test|changingBonds/;

/**
 * The order of test files: those that wait for no sources, those with a process of their own, those that take longest, then the
 * others in the usual order.
 * Vitest ends a process that files share when the next file in line wants one of its own: what it has loaded and compiled is lost.
 */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const orderOf = ({ moduleId, project }: TestSpecification): number => {
      if (first.test(moduleId)) return 0;
      if (project.config.isolate) return 1;
      return slow.test(moduleId) ? 2 : 3;
    };
    return usual.sort((a, b) => orderOf(a) - orderOf(b));
  }
}
