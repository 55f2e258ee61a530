/** What a sweep over pairs leaves: value and box derivatives xx yy zz xy xz yz; particles' shares are in the grid. */
export interface CoordinationSums {
  readonly value: number;
  readonly box: readonly number[];
}
