/** What a reader says of a file that ends within a frame. @param frames how many it has given */
export const tornNote = (file: string, frames: number): string =>
  `'${file}' ends within a frame, which is left out: ${frames} are whole`;

/** What it says of a compressed file that has lost only its end. */
export const cutNote = (file: string, frames: number): string =>
  `'${file}' ends without the mark that gzip puts at the end, as when a run is killed: its ${frames} frames are whole`;

/** What it says of a frame that is complete, but for the end of its last line: a kill may have cut the last number. */
export const openNote = (file: string): string =>
  `the last line of '${file}' has no end: its last value is taken as it is there`;
