/** Dimensions of what operators read and write. */
export const dimensions = {
  length: { length: 1 },
  mass: { mass: 1 },
  time: { time: 1 },
  charge: { charge: 1 },
  temperature: { temperature: 1 },
  velocity: { length: 1, time: -1 },
  force: { length: 1, mass: 1, time: -2 },
  energy: { length: 2, mass: 1, time: -2 },
  pressure: { length: -1, mass: 1, time: -2 },
  density: { length: -3 },
} as const;
