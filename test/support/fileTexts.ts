/** Small files of formats that are only read, by the format. */
export const fileTexts: Readonly<Record<string, string>> = {
  gro: `Water, t= 0.5 step= 7\n    2\n    1WATER  OW1    1   0.126   1.624   1.679  0.1227 -0.0580  0.0434\n    1WATER  HW2    2   0.190   1.661   1.747  0.8085  0.3191 -0.7791\n   1.82060   1.82061   1.82062   0.00000   0.00000   0.10000   0.00000  -0.20000   0.30000\n`,
  pdb: `CRYST1   10.000   20.000   30.000  90.00  90.00  60.00 P 1           1\nMODEL        1\nATOM      1  N   ALA A   1      11.104   6.134  -6.504  1.00  0.00           N\nHETATM    4 CL    CL A   2      -1.000   2.000   3.000\nENDMDL\nEND\n`,
  poscar: `title\n 1.0\n 4 0 0\n 0 5 0\n 1 0 6\nGa As\n1 2\nSelective dynamics\nDirect\n0.5 0.5 0.5 T T F\n0 0 0.25 F F F\n0.1 0.2 0.3 T T T\n`,
};
