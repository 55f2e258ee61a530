import { basisOf, type Camera } from './Camera.js';
import { length, minus, plus, turned } from './vectors.js';

/**
 * Turns a camera around the point that it looks at.
 * @param right angle to the right in radians. @param upward angle upward.
 * @example
 * camera = orbit(camera, 0.01 * event.movementX, 0.01 * event.movementY);
 */
export function orbit(camera: Camera, right: number, upward: number): Camera {
  const basis = basisOf(camera);
  const arm = minus(camera.from, camera.to);
  const turn = (v: typeof arm) => turned(turned(v, basis.up, -right), basis.right, -upward);
  return { ...camera, from: plus(camera.to, turn(arm)), up: turn(basis.up) };
}

/**
 * Goes nearer by a factor, or farther by one below 1.
 * @example
 * camera = zoom(camera, event.deltaY < 0 ? 1.1 : 1 / 1.1);
 */
export function zoom(camera: Camera, factor: number): Camera {
  const { lens } = camera;
  if (lens.kind === 'orthographic')
    return { ...camera, lens: { ...lens, height: lens.height / factor } };
  return { ...camera, from: plus(camera.to, minus(camera.from, camera.to), 1 / factor) };
}

/**
 * Moves a camera sideways, by parts of the height of the picture.
 * @example
 * camera = move(camera, -event.movementX / canvas.height, event.movementY / canvas.height);
 */
export function move(camera: Camera, right: number, upward: number): Camera {
  const { lens, from, to } = camera;
  const basis = basisOf(camera);
  const height =
    lens.kind === 'orthographic'
      ? lens.height
      : 2 * length(minus(to, from)) * Math.tan((lens.angle * Math.PI) / 360);
  const by = plus(plus([0, 0, 0], basis.right, right * height), basis.up, upward * height);
  return { ...camera, from: plus(from, by), to: plus(to, by) };
}
