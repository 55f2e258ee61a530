/**
 * Whether the CPU may have something to finish. Code that puts work off, or starts it in the background, says so; the engine takes
 * it back when nothing is left. So calls on a device, of which a step makes several, look at one place only.
 */
export class Unfinished {
  some = false;
}
