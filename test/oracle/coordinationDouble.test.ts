import { describePlumed } from '../support/describePlumed.js';

const machine = { backend: 'webgpu', threads: 1 } as const;
describePlumed({
  ...machine,
  precision: 'f64',
  value: 1e-12,
  slope: 1e-11,
  cases: [
    'edge_coincident_rational_default',
    'grp_pair',
    'grp_two_overlap',
    'pbc_nopbc_flag',
    'pbc_tric_full9',
    'sw_rational_default_ortho',
    'sw_rational_default_triclinic',
    'sw_tanh_ortho',
  ],
  scans: ['scan_rational_default'],
});
// Pairs in single precision.
describePlumed({
  ...machine,
  precision: 'mixed',
  value: 2e-6,
  slope: 1e-5,
  cases: ['grp_self_duplicates', 'sw_rational_default_triclinic'],
  scans: [],
});
