import { reduceFunctor } from '@corpuscle/patterns';

/** Most bins of a profile. */
export const MOST_BINS = 256;

/** What a bin of a profile sums up: particles, mass, momenta, and twice the kinetic energy. */
const makeProfile = (bins: number) => {
  const sum = `sum[${bins}]` as `sum[${number}]`;
  return reduceFunctor(
    {
      name: `profile_${bins}`,
      result: { count: sum, mass: sum, px: sum, py: sum, pz: sum, twice: sum },
      read: {
        rx: 'real',
        ry: 'real',
        rz: 'real',
        vx: 'real',
        vy: 'real',
        vz: 'real',
        mass: 'real',
      },
      // s = (r − origin) · (x, y, z) is the lattice coordinate along the axis.
      params: {
        ox: 'real',
        oy: 'real',
        oz: 'real',
        x: 'real',
        y: 'real',
        z: 'real',
        from: 'real',
        width: 'real',
        periodic: 'u32',
      },
      constants: { bins },
    },
    (acc, i, p, h, c) => {
      const at = (i.rx - p.ox) * p.x + (i.ry - p.oy) * p.y + (i.rz - p.oz) * p.z;
      const s = p.periodic !== 0 ? at - Math.floor(at) : at;
      const place = Math.floor((s - p.from) / p.width);
      // Rounding puts a coordinate beyond a face of the bins at times, such as that of the last particle of an open axis.
      const bin = Math.max(0, Math.min(place, c.bins - 1));
      if (bin >= 0 && bin < c.bins) {
        const k = h.i32(bin);
        acc.count[k]! += 1;
        acc.mass[k]! += i.mass;
        acc.px[k]! += i.mass * i.vx;
        acc.py[k]! += i.mass * i.vy;
        acc.pz[k]! += i.mass * i.vz;
        acc.twice[k]! += i.mass * (i.vx * i.vx + i.vy * i.vy + i.vz * i.vz);
      }
    },
  );
};

const functors = new Map<number, ReturnType<typeof makeProfile>>();

/** The functor of so many bins, made once. */
export function profileFunctor(bins: number): ReturnType<typeof makeProfile> {
  let functor = functors.get(bins);
  if (!functor) {
    functor = makeProfile(bins);
    functors.set(bins, functor);
  }
  return functor;
}
