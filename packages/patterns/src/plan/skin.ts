/** The skin to begin with, as a part of the cutoff; engines that tune it go on from there. */
export const FIRST_SKIN = 0.12;
