import type { Camera } from '@corpuscle/view';

/**
 * A camera with the lens of another one that sees the whole box: with or without perspective. What it looks at keeps its size.
 */
export function withLens(camera: Camera, whole: Camera): Camera {
  const { from, to, lens } = camera;
  if (lens.kind === whole.lens.kind) return camera;
  const distance = Math.hypot(...from.map((one, k) => one - to[k]!));
  const at = (other: number) =>
    to.map((one, k) => one + (other / distance) * (from[k]! - one)) as unknown as Camera['from'];
  if (lens.kind === 'orthographic') {
    const { angle } = whole.lens as Extract<Camera['lens'], { kind: 'perspective' }>;
    return { ...camera, from: at(lens.height / 2 / tangentOf(angle)), lens: whole.lens };
  }
  // From outside of the box: without perspective, distance changes nothing.
  const far = Math.hypot(...whole.from.map((one, k) => one - whole.to[k]!));
  const height = 2 * distance * tangentOf(lens.angle);
  return { ...camera, from: at(far), lens: { kind: 'orthographic', height } };
}

const tangentOf = (angle: number): number => Math.tan((angle * Math.PI) / 360);
