/** x1 … x32 of table 10. */
const X = [
  0.8623085097507421, 2.976218765822098, -8.402230115796039, 0.1054136629203555,
  -0.8564583828174598, 1.582759470107601, 0.7639421948305453, 1.753173414312048, 2798.291772190376,
  -0.04839422026085766, 0.9963265197721936, -36.98000291272493, 20.84012299434647,
  83.05402124717286, -957.4799715203068, -147.7746229234994, 63.98607852471505, 16.03993673294834,
  68.05916615864378, -2791.293578795945, -6.245128304568454, -8116.83610495841, 14.88735559561229,
  -10593.46754655084, -113.1607632802822, -8867.771540418822, -39.86982844450543,
  -4689.270299917261, 259.3535277438717, -2694.523589434903, -721.8487631550215, 172.1802063863269,
];
const x = (k: number): number => X[k - 1]!;

/**
 * Pressure and energy per particle (without the kinetic one) of the full Lennard-Jones fluid: the equation of state of Johnson, Zollweg
 * and Gubbins, Mol. Phys. 78, 591 (1993). It deviates from simulations by some 0.01 in both at liquid densities.
 */
export function johnson(t: number, rho: number): { pressure: number; energy: number } {
  const a = [
    x(1) * t + x(2) * Math.sqrt(t) + x(3) + x(4) / t + x(5) / t ** 2,
    x(6) * t + x(7) + x(8) / t + x(9) / t ** 2,
    x(10) * t + x(11) + x(12) / t,
    x(13),
    x(14) / t + x(15) / t ** 2,
    x(16) / t,
    x(17) / t + x(18) / t ** 2,
    x(19) / t ** 2,
  ];
  const powers = [3, 4, 3, 4, 3];
  const b = [
    ...powers.map((power, k) => x(20 + 2 * k) / t ** 2 + x(21 + 2 * k) / t ** power),
    x(30) / t ** 2 + x(31) / t ** 3 + x(32) / t ** 4,
  ];
  const c = [
    (x(2) * Math.sqrt(t)) / 2 + x(3) + (2 * x(4)) / t + (3 * x(5)) / t ** 2,
    x(7) + (2 * x(8)) / t + (3 * x(9)) / t ** 2,
    x(11) + (2 * x(12)) / t,
    x(13),
    (2 * x(14)) / t + (3 * x(15)) / t ** 2,
    (2 * x(16)) / t,
    (2 * x(17)) / t + (3 * x(18)) / t ** 2,
    (3 * x(19)) / t ** 2,
  ];
  const d = [
    ...powers.map(
      (power, k) => (3 * x(20 + 2 * k)) / t ** 2 + ((power + 1) * x(21 + 2 * k)) / t ** power,
    ),
    (3 * x(30)) / t ** 2 + (4 * x(31)) / t ** 3 + (5 * x(32)) / t ** 4,
  ];
  const gamma = 3;
  const f = Math.exp(-gamma * rho * rho);
  const g = [(1 - f) / (2 * gamma)];
  for (let k = 1; k < 6; k++) g.push(-(f * rho ** (2 * k) - 2 * k * g[k - 1]!) / (2 * gamma));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    pressure:
      rho * t +
      sum(a.map((value, k) => value * rho ** (k + 2))) +
      f * sum(b.map((value, k) => value * rho ** (2 * k + 3))),
    energy:
      sum(c.map((value, k) => (value * rho ** (k + 1)) / (k + 1))) +
      sum(d.map((value, k) => value * g[k]!)),
  };
}
