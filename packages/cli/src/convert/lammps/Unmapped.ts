/** Something that a script may say and that has no counterpart here: its command becomes a comment. */
export class Unmapped extends Error {
  override readonly name = 'Unmapped';
}
