import { describeAllPairs } from '../../shared/allPairBodies.js';

const tolerance = 1e-13;
describeAllPairs({ backend: 'cpu', precision: 'f64', threads: 1, tolerance });
describeAllPairs({ backend: 'cpu', precision: 'mixed', threads: 2, tolerance });
describeAllPairs({
  backend: 'cpu',
  precision: 'f64',
  threads: 1,
  lowering: 'javascript',
  tolerance,
});
