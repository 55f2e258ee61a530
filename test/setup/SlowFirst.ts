import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Short files that take long on a software adapter: vitest, which knows sizes only, would begin them last, alone on one core. */
const slow =
  /oracle\/(coordination|manyBodyGpu|webgpu|potentials)|gpu\/(adapted|pairs|allPairs)|examples\.test|docs\.test/;

/** Begins the test files that take longest first, the others in the usual order. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => slow.test(moduleId);
    return [...usual.filter(isSlow), ...usual.filter((file) => !isSlow(file))];
  }
}
