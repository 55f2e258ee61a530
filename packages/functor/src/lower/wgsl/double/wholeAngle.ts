/**
 * Large angles (Payne and Hanek 1983): x · 2/π modulo 4 in fixed point, from those bits of 2/π alone that matter for the
 * exponent of x. High and low part of x are reduced one by one; adding them wraps, as it should.
 *
 *   result   96 bits in three words, most significant first: 2 bits of quadrant, 94 bits of fraction
 */
export const wholeAngle: Readonly<Record<string, string>> = {
  whole_angle: `
fn ds_whole_angle(x: vec2f) -> vec3u {
  let a = ds_angle(x.x);
  let b = ds_angle(x.y);
  let z = a.z + b.z;
  let carryZ = select(0u, 1u, z < a.z);
  let y = a.y + b.y;
  let carryY = select(0u, 1u, y < a.y || y + carryZ < y);
  return vec3u(a.x + b.x + carryY, y + carryZ, z);
}`,

  // v = m · 2^e with a whole m of 24 bits; the window of 128 bits begins where the product has the weight 2.
  angle: `
const ds_two_over_pi = array<u32, 13>(0u, 0u, 0u, 0u, 0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
  0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u);
fn ds_angle(v: f32) -> vec3u {
  let bits = bitcast<u32>(v);
  let exponent = (bits >> 23u) & 255u;
  if (exponent == 0u || exponent == 255u) { return vec3u(0u); }
  let m = (bits & 0x7fffffu) | 0x800000u;
  let start = exponent + 8u;
  var words = ds_two_over_pi;
  let first = start >> 5u;
  let shift = start & 31u;
  var window: array<u32, 4>;
  for (var k = 0u; k < 4u; k++) {
    window[k] = (words[first + k] << shift) | ((words[first + k + 1u] >> 1u) >> (31u - shift));
  }
  let p3 = ds_wide(window[3], m);
  let p2 = ds_wide(window[2], m);
  let p1 = ds_wide(window[1], m);
  let z = p2.x + p3.y;
  let y2 = p2.y + select(0u, 1u, z < p2.x);
  let y = p1.x + y2;
  let x = window[0] * m + p1.y + select(0u, 1u, y < y2);
  let angle = vec3u(x, y, z);
  return select(angle, ~angle, (bits >> 31u) == 1u);
}`,

  // Low and high word of a product; n below 2^24 keeps the sums in 32 bits.
  wide: `
fn ds_wide(a: u32, n: u32) -> vec2u {
  let al = a & 65535u;
  let ah = a >> 16u;
  let nl = n & 65535u;
  let nh = n >> 16u;
  let low = al * nl;
  let middle = (low >> 16u) + ((al * nh) & 65535u) + ((ah * nl) & 65535u);
  let high = ah * nh + ((al * nh) >> 16u) + ((ah * nl) >> 16u) + (middle >> 16u);
  return vec2u((low & 65535u) | (middle << 16u), high);
}`,
};
