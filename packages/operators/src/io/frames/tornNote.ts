/** What a reader says of a file that ends within a frame. @param frames how many it has given */
export const tornNote = (file: string, frames: number): string =>
  `'${file}' ends within a frame, which is left out: ${frames} are whole`;
