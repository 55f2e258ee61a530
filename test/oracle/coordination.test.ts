import { caseNames, scanNames } from '../support/coordinationCase.js';
import { describePlumed } from '../support/describePlumed.js';
import { isLong, runs } from '../support/runs.js';

if (!isLong)
  describePlumed({ backend: 'cpu', precision: 'f64', threads: 1, value: 1e-12, slope: 1e-10 });

// A software adapter compiles each switch anew for each path, and for each scan.
const isShort = (_name: string, k: number): boolean => k % 3 === 0;
const device = {
  backend: 'webgpu',
  precision: 'f32',
  threads: 1,
  value: 2e-6,
  slope: 1e-5,
} as const;
describePlumed({
  ...device,
  cases: caseNames.filter((_, k) => isLong || k % 4 === 0),
  paths: runs('one', 'other'),
  scans: scanNames.filter((name, k) => isShort(name, k) !== isLong),
});
if (isLong)
  describePlumed({
    ...device,
    cases: caseNames.filter((_, k) => k % 4 !== 0),
    paths: 'one',
    scans: [],
  });
