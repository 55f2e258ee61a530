/** Components of a virial in their order, xx yy zz xy xz yz: the axis of the distance, and that of the force. */
export const virialComponents = [
  [0, 0],
  [1, 1],
  [2, 2],
  [0, 1],
  [0, 2],
  [1, 2],
] as const;
