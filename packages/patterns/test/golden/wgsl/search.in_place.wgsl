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
  box: vec4f,
  radius2: f32, // square of the radius of the lists: cutoff plus skin
  count: u32, // particles
  capacity: u32, // neighbors that a list has room for
  stride: u32, // entry k of a row is entries[k · stride + row]
  slot: u32, // record of this update
}
@group(0) @binding(5) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(2) var<storage, read_write> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)
@group(0) @binding(3) var<storage, read_write> reference: array<vec4u>; // positions for which the lists were built
@group(0) @binding(4) var<storage, read_write> displacements: array<atomic<u32>>; // records of displacements since the lists were built

// Cells plus 2^23 as floats without conversion, which is slow on many devices: whole numbers in the mantissa. Differences
// of two such numbers are exact.
fn shiftedCell(w: u32) -> vec3f {
  return bitcast<vec3f>((vec3u(w, w >> 10u, w >> 20u) & vec3u(1023u)) | vec3u(0x4b000000u));
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  return c * vec3f(P.edgeA.x, P.edgeB.y, P.edgeC.z);
}

// The code of an image from boxes along each axis.
fn imageCode(k: vec3i) -> u32 {
  let biased = vec3u(k + 1);
  return (biased.x | (biased.y << 2u) | (biased.z << 4u)) ^ 21u;
}

// Coordinates and row of particles.
var<workgroup> tile: array<vec4u, 512>;
var<workgroup> foundBy: array<u32, 128>;
// 1 if a particle of the workgroup has a neighbor that is an image.
var<workgroup> foundImages: atomic<u32>;

// Vector from the center of the first cell. Lists reach a little farther than they need to: rounding is allowed.
fn fromFirstCell(row: vec4u) -> vec3f { return relative(row) + cellVectorOf(shiftedCell(row.w) - 8388608.0); }
// Whole boxes nearest to a vector that is no longer than one and a half of them.
fn boxesOf(d: vec3f, box: vec3f) -> vec3i { return vec3i(d > 0.5 * box) - vec3i(d < -0.5 * box); }

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  let particle = lane % 4u;
  let thread = lane / 4u;
  let own = group * 4u + particle;
  let last = P.count - 1u;
  let mine = b_position[min(own, last)];
  let x = fromFirstCell(mine);
  let dims = vec3f(P.dims.xyz);
  let box = P.box.xyz;
  if (lane == 0u) { atomicStore(&foundImages, 0u); }
  let some = P.count;
  var images = 0u;
  var total = 0u;
  let tiles = (some + 511u) / 512u;
  for (var t = tiles; t > 0u; t--) {
    let begin = 512u * (tiles - t);
    workgroupBarrier();
    for (var k = lane; k < 512u; k += 128u) {
      let row = min(begin + k, last);
      tile[k] = vec4u(bitcast<vec3u>(fromFirstCell(b_position[row])), row);
    }
    workgroupBarrier();
    // Test: bit k of word w stands for place 32 · (16 · w + k) + thread of the tile. None after the last, nor the particle itself.
    let ownPlace = own - begin;
    let places = (max(some, begin + thread) - begin - thread + 31u) / 32u;
    var near = array<u32, 1>();
    var found = 0u;
    for (var w = 1u; w > 0u; w--) {
      let before = 16u * (w - 1u);
      var word = 0u;
      for (var k = 16u; k > 0u; k--) {
        let there = bitcast<vec3f>(tile[32u * (before + k - 1u) + thread].xyz);
        // No two particles are more than one and a half boxes apart.
        let apart = abs(x - there);
        let d = min(apart, abs(box - apart));
        word = (word << 1u) | select(0u, 1u, dot(d, d) < P.radius2);
      }
      let valid = max(places, before) - before;
      if (valid < 16u) { word &= (1u << valid) - 1u; }
      let ownBit = ownPlace / 32u - before;
      if (ownPlace % 32u == thread && ownBit < 16u) { word &= ~(1u << ownBit); }
      near[w - 1u] = word;
      found += countOneBits(word);
    }
    // Store: entries of a thread come after those of the threads before it.
    foundBy[lane] = found;
    workgroupBarrier();
    var next = total;
    for (var other = 32u; other > 0u; other--) {
      let theirs = foundBy[(other - 1u) * 4u + particle];
      total += theirs;
      next += select(0u, theirs, other <= thread);
    }
    let room = select(0u, max(P.capacity, next) - next, own < P.count);
    var w = 0u;
    var left = near[0];
    for (var more = min(found, room); more > 0u; more--) {
      for (; left == 0u; left = near[w]) { w++; }
      let there = tile[32u * (16u * w + firstTrailingBit(left)) + thread];
      left &= left - 1u;
      let code = imageCode(-boxesOf(x - bitcast<vec3f>(there.xyz), box)) << 26u;
      images |= code;
      entries[(next >> 2u) * P.stride + own][next & 3u] = there.w | code;
      next++;
    }
  }
  // Count: dummies fill up the last vector.
  if (images != 0u) { atomicOr(&foundImages, 1u); }
  workgroupBarrier();
  if (own < P.count && thread == 0u) {
    let kept = min(total, P.capacity);
    for (var at = kept; (at & 3u) != 0u; at++) { entries[(at >> 2u) * P.stride + own][at & 3u] = P.count + (at & 3u); }
    reference[own] = mine;
    let outside = abs(vec3f(dot(x, P.perBoxX.xyz), dot(x, P.perBoxY.xyz), dot(x, P.perBoxZ.xyz)) + 0.5 / dims - 0.5) - 0.5;
    if (max(outside.x, max(outside.y, outside.z)) > 0.25) { atomicOr(&displacements[4u * P.slot + 3u], 134217728u); }
    counts[own] = kept | (atomicLoad(&foundImages) << 31u);
    if (total > atomicLoad(&displacements[4u * P.slot + 2u])) { atomicMax(&displacements[4u * P.slot + 2u], total); }
  }
}
