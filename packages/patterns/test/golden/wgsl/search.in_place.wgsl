// neighbors: build lists in place
//
// Builds the neighbor list of each particle where it is; 32 threads share a particle.
//   test      all others, at the nearest image
//   store     entries of a thread after those of the threads before it

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  perBoxX: vec4f, // boxes = vector · perBox
  perBoxY: vec4f,
  perBoxZ: vec4f,
  radius2: f32, // square of the radius of the lists: cutoff plus skin
  count: u32, // particles
  capacity: u32, // neighbors that a list has room for
  stride: u32, // entry k of a row is entries[k · stride + row]
  slot: u32, // record of this update
}
@group(0) @binding(5) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(2) var<storage, read_write> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (27, in thin boxes fewer)
@group(0) @binding(3) var<storage, read_write> reference: array<vec4u>; // positions for which the lists were built
@group(0) @binding(4) var<storage, read_write> displacements: array<atomic<u32>>; // records of displacements since the lists were built

// Cell of a particle, ten bits an axis.
fn unpackCell(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  return c * vec3f(P.edgeA.x, P.edgeB.y, P.edgeC.z);
}
// The same for whole cells.
fn cellVector(c: vec3i) -> vec3f { return cellVectorOf(vec3f(c)); }
// The code of an image from boxes along each axis.
fn imageCode(k: vec3i) -> u32 {
  return u32((k.x + 1) + 3 * (k.y + 1) + 9 * (k.z + 1)) ^ 13u;
}

var<workgroup> tile: array<vec3f, 512>;
var<workgroup> foundBy: array<u32, 128>;
var<workgroup> foundImages: array<atomic<u32>, 4>;
// Vector from the center of the first cell. Lists reach a little farther than they need to: rounding is allowed.
fn absolute(row: vec4u) -> vec3f { return relative(row) + cellVector(unpackCell(row.w)); }
// Whole boxes nearest to a vector.
fn boxesOf(d: vec3f) -> vec3f {
  return round(d * vec3f(P.perBoxX.x, P.perBoxY.y, P.perBoxZ.z));
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  let particle = lane % 4u;
  let thread = lane / 4u;
  let own = group * 4u + particle;
  let mine = b_position[min(own, P.count - 1u)];
  let x = absolute(mine);
  let dims = vec3f(P.dims.xyz);
  let box = cellVectorOf(dims);
  if (lane < 4u) { atomicStore(&foundImages[lane], 0u); }
  // Test: bit k of word t stands for row 512 · t + 32 · k + thread.
  var near: array<u32, 8>;
  var found = 0u;
  let tiles = (P.count + 511u) / 512u;
  for (var left = tiles; left > 0u; left--) {
    let t = tiles - left;
    let first = 512u * t;
    workgroupBarrier();
    for (var k = lane; k < 512u; k += 128u) { tile[k] = absolute(b_position[min(first + k, P.count - 1u)]); }
    workgroupBarrier();
    var word = 0u;
    for (var k = 16u; k > 0u; k--) {
      // No two particles are more than one and a half boxes apart.
      let apart = abs(x - tile[32u * (k - 1u) + thread]);
      let d = min(apart, abs(box - apart));
      word = (word << 1u) | select(0u, 1u, dot(d, d) < P.radius2);
    }
    // Neither rows after the last, nor the particle itself.
    let rows = (max(P.count, first + thread) - first - thread + 31u) / 32u;
    if (rows < 16u) { word &= (1u << rows) - 1u; }
    if (own / 512u == t && own % 32u == thread) { word &= ~(1u << (own % 512u / 32u)); }
    near[t] = word;
    found += countOneBits(word);
  }
  // Store: entries of a thread come after those of the threads before it, dummies fill up the last vector.
  foundBy[lane] = found;
  workgroupBarrier();
  var next = 0u;
  var total = 0u;
  for (var other = 32u; other > 0u; other--) {
    let theirs = foundBy[(other - 1u) * 4u + particle];
    total += theirs;
    next += select(0u, theirs, other <= thread);
  }
  let kept = min(total, P.capacity);
  if (own < P.count) {
    var images = 0u;
    var t = 0u;
    var left = near[0];
    for (var some = found; some > 0u; some--) {
      for (; left == 0u; left = near[t]) { t++; }
      let row = 512u * t + 32u * firstTrailingBit(left) + thread;
      left &= left - 1u;
      if (next < kept) {
        let code = imageCode(-vec3i(boxesOf(x - absolute(b_position[row])))) << 27u;
        images |= code;
        entries[(next >> 2u) * P.stride + own][next & 3u] = row | code;
      }
      next++;
    }
    if (images != 0u) { atomicOr(&foundImages[particle], 1u); }
    for (var at = kept; thread == 0u && (at & 3u) != 0u; at++) {
      entries[(at >> 2u) * P.stride + own][at & 3u] = P.count + (at & 3u);
    }
  }
  workgroupBarrier();
  if (own < P.count && thread == 0u) {
    reference[own] = mine;
    counts[own] = kept | (atomicLoad(&foundImages[particle]) << 31u);
    if (total > atomicLoad(&displacements[4u * P.slot + 2u])) { atomicMax(&displacements[4u * P.slot + 2u], total); }
  }
}
