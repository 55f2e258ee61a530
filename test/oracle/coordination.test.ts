import { describePlumed } from '../support/describePlumed.js';
import { isLong } from '../support/runs.js';

if (!isLong)
  describePlumed({ backend: 'cpu', precision: 'f64', threads: 1, value: 1e-12, slope: 1e-10 });

// A software adapter compiles each switch anew for each path.
describePlumed({
  backend: 'webgpu',
  precision: 'f32',
  threads: 1,
  value: 2e-6,
  slope: 1e-5,
  ...(isLong ? { paths: 'other', scans: [] } : { paths: 'one' }),
});
