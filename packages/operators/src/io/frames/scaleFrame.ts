import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';

/** A frame in other units of length and time; forces and energies stay. Factors of 1 change no bit. */
export function scaleFrame(frame: ParticleFrame, length: number, time: number): ParticleFrame {
  if (length === 1 && time === 1) return frame;
  const times = (values: Float64Array | null, factor: number) =>
    values?.map((value) => value * factor) ?? null;
  const [x, y, z] = frame.origin;
  return {
    ...frame,
    lattice: frame.lattice?.map((value) => value * length) ?? null,
    origin: [x * length, y * length, z * length],
    position: frame.position.map((value) => value * length),
    velocity: times(frame.velocity, length / time),
    time: frame.time === undefined ? undefined : frame.time * time,
  };
}
