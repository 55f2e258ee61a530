// neighbors: build lists
//
// Builds the neighbor list of each particle, 32 threads a particle; particles are sorted by cell.
//   count     each thread tests candidates of its parts of rows of cells
//   place     where its entries begin
//   store     it tests them again, and stores entries

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  periodic: vec4i, // 1 along periodic axes
  reach: vec4i, // cells that the radius reaches along each axis
  radius2: f32, // square of the radius of the lists: cutoff plus skin
  first: u32, // rows of this dispatch: first … end − 1
  end: u32,
  count: u32, // particles
  capacity: u32, // neighbors that a list has room for
  columns: u32, // vectors that a list has room for
  stride: u32, // entry k of a row is entries[k · stride + row]
  at: u32, // where the result goes
}
@group(0) @binding(6) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> position: array<vec4u>; // relative position and packed cell of each row
@group(0) @binding(1) var<storage, read> start: array<u32>; // first row of each cell
@group(0) @binding(2) var<storage, read_write> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(3) var<storage, read_write> entries: array<u32>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)
@group(0) @binding(4) var<storage, read_write> most: array<atomic<u32>>; // longest list that a search found
@group(0) @binding(5) var<storage, read_write> reference: array<vec4u>; // positions for which the lists were built

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
  let biased = vec3u(k + 1);
  return (biased.x | (biased.y << 2u) | (biased.z << 4u)) ^ 21u;
}

// A cell number wrapped into the box, and the boxes it was off.
struct Wrapped { cell: i32, box: i32, valid: bool }
fn wrapped(cell: i32, dims: i32, periodic: i32) -> Wrapped {
  let box = select(0, -1, cell < 0) + select(0, 1, cell >= dims);
  let inside = cell - box * dims;
  return Wrapped(inside, box, inside >= 0 && inside < dims && (box == 0 || periodic != 0));
}
// Least distance along one axis between x and a cell o cells away.
fn gap(x: f32, o: i32, edge: f32) -> f32 {
  return max(abs(x - f32(o) * edge) - 0.5001 * edge, 0.0);
}
var<workgroup> foundBy: array<u32, 128>;
var<workgroup> hasImages: atomic<u32>;
// Where an entry of a particle is.
fn place(entry: u32, index: u32) -> u32 { return 4u * ((entry >> 2u) * P.stride + index) + (entry & 3u); }

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  // The particle of this thread; its position is noted: what the lists were made for.
  let particle = lane % 4u;
  let thread = lane / 4u;
  let slot = group * 4u + particle;
  let own = P.first + slot;
  let row = position[min(own, P.end - 1u)];
  if (own < P.end && thread == 0u) { reference[own] = row; }
  let xi = relative(row);
  let cell = unpackCell(row.w);
  let inverse = 1.0 / P.edgeA.x;
  let middle = xi.x * inverse + 0.5;
  let magic = 0x4b000000u | (row.w >> 30u);
  let across = 2 * P.reach.y + 1;
  let items = select(0, 3 * across * (2 * P.reach.z + 1), own < P.end);
  let rounds = (items + 31) / 32;
  // One flag for each wave of particles, so that its threads go the same way later: whether the lists of one may have images.
  if (lane < 32u) {
    let there = unpackCell(position[min(P.first + group / 8u * 32u + lane, P.end - 1u)].w);
    let isOutside = (there < P.reach.xyz) | (there + P.reach.xyz >= P.dims.xyz);
    if (any(isOutside & (P.periodic.xyz != vec3i(0)))) { atomicOr(&hasImages, 1u); }
  }
  // Count.
  var found = 0u;
  for (var left = rounds; left > 0; left--) {
    let item = (rounds - left) * 32 + i32(thread);
    if (item >= items) { continue; }
    // A part of a row of cells, all at the same place along y and z.
    let part = u32(item % 3);
    let oz = item / (3 * across) - P.reach.z;
    let oy = (item / 3) % across - P.reach.y;
    let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
    let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
    if (!z.valid || !y.valid) { continue; }
    var low = cell.x - P.reach.x;
    var high = cell.x + P.reach.x;

    // Cells of the row that the sphere reaches.
    let gy = gap(xi.y, oy, P.edgeB.y);
    let gz = gap(xi.z, oz, P.edgeC.z);
    let rest = P.radius2 - gy * gy - gz * gz;
    if (rest <= 0.0) { continue; }
    let span = sqrt(rest) * inverse + 0.0001;
    low = max(low, cell.x + i32(floor(middle - span)));
    high = min(high, cell.x + i32(floor(middle + span)));
    let xr = xi - cellVector(vec3i(0, oy, oz));
    let line = (z.cell * P.dims.y + y.cell) * P.dims.x;
    let lastBox = select(0, 1, high >= P.dims.x && P.periodic.x != 0);
    for (var box = select(0, -1, low < 0 && P.periodic.x != 0); box < 2; box++) {
      if (box > lastBox) { break; }
      let head = max(low - box * P.dims.x, 0);
      let tail = min(high - box * P.dims.x, P.dims.x - 1);
      if (head > tail) { continue; }
      let image = imageCode(vec3i(-box, -y.box, -z.box)) << 26u;
      let cx = f32(cell.x - box * P.dims.x) + 8388608.0;
      let begin = start[u32(line + head)];
      let all = start[u32(line + tail) + 1u] - begin;
      let end = begin + all * (part + 1u) / 3u;
      var j = begin + all * part / 3u;
      for (var chunks = (end - j + 3u) / 4u; chunks > 0u; chunks--) {
        let q0 = position[j];
        let q1 = position[j + 1u];
        let q2 = position[j + 2u];
        let q3 = position[j + 3u];
        // A bit for each candidate within the radius.
        var near = 0u;
        {
          let dx = cx - bitcast<f32>((q0.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q0.x)), xr.yz - bitcast<vec2f>(q0.yz));
          near |= select(0u, 1u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q1.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q1.x)), xr.yz - bitcast<vec2f>(q1.yz));
          near |= select(0u, 2u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q2.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q2.x)), xr.yz - bitcast<vec2f>(q2.yz));
          near |= select(0u, 4u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q3.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q3.x)), xr.yz - bitcast<vec2f>(q3.yz));
          near |= select(0u, 8u, dot(d, d) < P.radius2);
        }
        // Neither candidates of the next part, nor the particle itself.
        near &= 15u >> (4u - min(end - j, 4u));
        let code = j | image;
        if (own - code < 4u) { near &= ~(1u << (own - code)); }
        found += countOneBits(near);
        j += 4u;
      }
    }
  }
  foundBy[lane] = found;
  workgroupBarrier();
  // Entries of the threads before come first.
  var next = 0u;
  var total = 0u;
  for (var left = 32u; left > 0u; left--) {
    let other = 32u - left;
    let theirs = foundBy[other * 4u + particle];
    total += theirs;
    next += select(0u, theirs, other < thread);
  }
  // Store.
  for (var left = rounds; left > 0; left--) {
    let item = (rounds - left) * 32 + i32(thread);
    if (item >= items) { continue; }
    // A part of a row of cells, all at the same place along y and z.
    let part = u32(item % 3);
    let oz = item / (3 * across) - P.reach.z;
    let oy = (item / 3) % across - P.reach.y;
    let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
    let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
    if (!z.valid || !y.valid) { continue; }
    var low = cell.x - P.reach.x;
    var high = cell.x + P.reach.x;

    // Cells of the row that the sphere reaches.
    let gy = gap(xi.y, oy, P.edgeB.y);
    let gz = gap(xi.z, oz, P.edgeC.z);
    let rest = P.radius2 - gy * gy - gz * gz;
    if (rest <= 0.0) { continue; }
    let span = sqrt(rest) * inverse + 0.0001;
    low = max(low, cell.x + i32(floor(middle - span)));
    high = min(high, cell.x + i32(floor(middle + span)));
    let xr = xi - cellVector(vec3i(0, oy, oz));
    let line = (z.cell * P.dims.y + y.cell) * P.dims.x;
    let lastBox = select(0, 1, high >= P.dims.x && P.periodic.x != 0);
    for (var box = select(0, -1, low < 0 && P.periodic.x != 0); box < 2; box++) {
      if (box > lastBox) { break; }
      let head = max(low - box * P.dims.x, 0);
      let tail = min(high - box * P.dims.x, P.dims.x - 1);
      if (head > tail) { continue; }
      let image = imageCode(vec3i(-box, -y.box, -z.box)) << 26u;
      let cx = f32(cell.x - box * P.dims.x) + 8388608.0;
      let begin = start[u32(line + head)];
      let all = start[u32(line + tail) + 1u] - begin;
      let end = begin + all * (part + 1u) / 3u;
      var j = begin + all * part / 3u;
      for (var chunks = (end - j + 3u) / 4u; chunks > 0u; chunks--) {
        let q0 = position[j];
        let q1 = position[j + 1u];
        let q2 = position[j + 2u];
        let q3 = position[j + 3u];
        // A bit for each candidate within the radius.
        var near = 0u;
        {
          let dx = cx - bitcast<f32>((q0.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q0.x)), xr.yz - bitcast<vec2f>(q0.yz));
          near |= select(0u, 1u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q1.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q1.x)), xr.yz - bitcast<vec2f>(q1.yz));
          near |= select(0u, 2u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q2.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q2.x)), xr.yz - bitcast<vec2f>(q2.yz));
          near |= select(0u, 4u, dot(d, d) < P.radius2);
        }
        {
          let dx = cx - bitcast<f32>((q3.w & 1023u) | magic);
          let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q3.x)), xr.yz - bitcast<vec2f>(q3.yz));
          near |= select(0u, 8u, dot(d, d) < P.radius2);
        }
        // Neither candidates of the next part, nor the particle itself.
        near &= 15u >> (4u - min(end - j, 4u));
        let code = j | image;
        if (own - code < 4u) { near &= ~(1u << (own - code)); }
        for (var some = countOneBits(near); some > 0u; some--) {
          if (next < P.capacity) { entries[place(next, slot)] = code + firstTrailingBit(near); }
          near &= near - 1u;
          next++;
        }
        j += 4u;
      }
    }
  }
  if (own < P.end && thread == 0u) {
    // Dummies fill up the last vector.
    for (var left = (4u - total) & 3u; left > 0u; left--) {
      let entry = total + left - 1u;
      if (entry < P.capacity) { entries[place(entry, slot)] = P.count + left - 1u; }
    }
    counts[own] = min(total, P.capacity) | (atomicLoad(&hasImages) << 31u);
    if (total > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], total); }
  }
}
