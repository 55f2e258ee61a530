import { describePlumed } from '../support/describePlumed.js';
import { runs } from '../support/runs.js';

describePlumed({ backend: 'cpu', precision: 'f64', threads: 1, value: 1e-12, slope: 1e-10 });
describePlumed({
  backend: 'webgpu',
  precision: 'f32',
  threads: 1,
  value: 2e-6,
  slope: 1e-5,
  paths: runs('one', 'all'), // a software adapter compiles each switch anew for each path
});
