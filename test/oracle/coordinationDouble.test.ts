import { describePlumed } from '../support/describePlumed.js';
import { runs } from '../support/runs.js';

/** A software adapter takes seconds for double-single: most cases belong to the long form. */
const short = ['grp_two_overlap', 'pbc_tric_full9', 'sw_tanh_ortho'];
const long = [
  'edge_coincident_rational_default',
  'grp_pair',
  'pbc_nopbc_flag',
  'sw_rational_default_ortho',
  'sw_rational_default_triclinic',
];
const machine = { backend: 'webgpu', threads: 1 } as const;
describePlumed({
  ...machine,
  precision: 'f64',
  value: 1e-12,
  slope: 1e-11,
  cases: runs(short, [...short, ...long]),
  paths: runs('one', 'all'),
  scans: runs([], ['scan_rational_default']),
});
// Pairs in single precision.
describePlumed({
  ...machine,
  precision: 'mixed',
  value: 2e-6,
  slope: 1e-5,
  cases: runs(['grp_self_duplicates'], ['sw_rational_default_triclinic']),
  scans: [],
});
