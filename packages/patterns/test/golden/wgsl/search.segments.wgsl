// neighbors: build lists
//
// Builds the neighbor list of each particle, one thread a particle; particles are sorted by cell.
//   rows      rows of cells along x that the sphere reaches, cut to what it touches
//   run       a row is a run of particles; one that crosses a periodic face is two or three
//   test      distances of 32 candidates give the bits of a word
//   store     bits become entries, four written together

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
@group(0) @binding(9) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> position_0: array<vec4u>; // relative position and packed cell of each row; rows from 0 on
@group(0) @binding(1) var<storage, read> position_1: array<vec4u>; // relative position and packed cell of each row; rows from 256 on
@group(0) @binding(2) var<storage, read> start: array<u32>; // first row of each cell
@group(0) @binding(3) var<storage, read_write> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(4) var<storage, read_write> entries_0: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer); rows from 0 on
@group(0) @binding(5) var<storage, read_write> entries_1: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer); rows from 256 on
@group(0) @binding(6) var<storage, read_write> most: array<atomic<u32>>; // longest list that a search found
@group(0) @binding(7) var<storage, read_write> reference_0: array<vec4u>; // positions for which the lists were built; rows from 0 on
@group(0) @binding(8) var<storage, read_write> reference_1: array<vec4u>; // positions for which the lists were built; rows from 256 on

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

var<workgroup> longest: atomic<u32>;
var<workgroup> imaged: array<atomic<u32>, 4>;
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
fn position_at(i: u32) -> vec4u {
  if (i < 256u) { return position_0[i]; } else { return position_1[i - 256u]; }
}
fn entries_set(i: u32, value: vec4u) {
  if (i < 256u) { entries_0[i] = value; } else { entries_1[i - 256u] = value; }
}
fn reference_set(i: u32, value: vec4u) {
  if (i < 256u) { reference_0[i] = value; } else { reference_1[i - 256u] = value; }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  // The particle of this thread; its position is noted: what the lists were made for.
  let own = P.first + index;
  var found = 0u;
  if (own < P.end) {
    let row = position_at(u32(own));
    reference_set(u32(own), row);
    let xi = relative(row);
    let cell = unpackCell(row.w);
    var images = 0u;
    // Tested bits and the entry of the first of them; the last one is for dummies.
    var words: array<vec2u, 17>;
    var filled = 0u;
    var stored = 0u;
    let inverse = 1.0 / P.edgeA.x;
    let middle = xi.x * inverse + 0.5;
    let magic = 0x4b000000u | (row.w >> 30u);
    // Rows of cells that the sphere may reach.
    for (var planes = 2 * P.reach.z + 1; planes > 0; planes--) {
      let oz = P.reach.z + 1 - planes;
      let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
      if (!z.valid) { continue; }
      for (var rows = 2 * P.reach.y + 1; rows > 0; rows--) {
        let oy = P.reach.y + 1 - rows;
        let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
        if (!y.valid) { continue; }
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
          // A run of particles, in one periodic image.
          let image = imageCode(vec3i(-box, -y.box, -z.box)) << 26u;
          let cx = f32(cell.x - box * P.dims.x) + 8388608.0;
          let end = start[u32(line + tail) + 1u];
          let begin = start[u32(line + head)];
          var j = begin;
          for (var spans = (end - j + 31u) >> 5u; spans > 0u; spans--) {
            let bits = min(end - j, 32u);
            // Distances of up to 32 candidates give bits.
            var near = 0u;
            var k = 0u;
            for (var chunks = (bits + 3u) / 4u; chunks > 0u; chunks--) {
              let q0 = position_at(u32(j + k));
              let q1 = position_at(u32(j + k + 1u));
              let q2 = position_at(u32(j + k + 2u));
              let q3 = position_at(u32(j + k + 3u));
              var some = 0u;
              {
                let dx = cx - bitcast<f32>((q0.w & 1023u) | magic);
                let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q0.x)), xr.yz - bitcast<vec2f>(q0.yz));
                some |= select(0u, 1u, dot(d, d) < P.radius2);
              }
              {
                let dx = cx - bitcast<f32>((q1.w & 1023u) | magic);
                let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q1.x)), xr.yz - bitcast<vec2f>(q1.yz));
                some |= select(0u, 2u, dot(d, d) < P.radius2);
              }
              {
                let dx = cx - bitcast<f32>((q2.w & 1023u) | magic);
                let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q2.x)), xr.yz - bitcast<vec2f>(q2.yz));
                some |= select(0u, 4u, dot(d, d) < P.radius2);
              }
              {
                let dx = cx - bitcast<f32>((q3.w & 1023u) | magic);
                let d = vec3f(fma(dx, P.edgeA.x, xr.x - bitcast<f32>(q3.x)), xr.yz - bitcast<vec2f>(q3.yz));
                some |= select(0u, 8u, dot(d, d) < P.radius2);
              }
              near |= some << k;
              k += 4u;
            }
            // Neither candidates after the run, nor the particle itself.
            near &= 0xffffffffu >> (32u - bits);

            let code = j | image;
            if (own - code < 32u) { near &= ~(1u << (own - code)); }
            if (near != 0u) {
              images |= code;
              words[filled] = vec2u(near, code);
              filled++;
              found += countOneBits(near);
              if (filled == 16u) {
                var next = 0u;
                var bits_ = 0u;
                var code_ = 0u;
                var pack: vec4u;

                let vectors = found >> 2u;
                for (var left = vectors - stored; left > 0u; left--) {
                  if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
                  {
                    let bit = bits_ & (0u - bits_);
                    pack.x = code_ + (bitcast<u32>(f32(bit)) >> 23u);
                    bits_ ^= bit;
                  }
                  if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
                  {
                    let bit = bits_ & (0u - bits_);
                    pack.y = code_ + (bitcast<u32>(f32(bit)) >> 23u);
                    bits_ ^= bit;
                  }
                  if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
                  {
                    let bit = bits_ & (0u - bits_);
                    pack.z = code_ + (bitcast<u32>(f32(bit)) >> 23u);
                    bits_ ^= bit;
                  }
                  if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
                  {
                    let bit = bits_ & (0u - bits_);
                    pack.w = code_ + (bitcast<u32>(f32(bit)) >> 23u);
                    bits_ ^= bit;
                  }
                  if (stored < P.columns) { entries_set(u32(stored * P.stride + index), pack); }
                  stored++;
                }
                var kept = 0u;
                if (bits_ != 0u) { words[0] = vec2u(bits_, code_ + 127u); kept = 1u; }
                for (var left = filled - next; left > 0u; left--) { words[kept] = words[next]; kept++; next++; }
                filled = kept; }
            }
            j += 32u;
          }
        }
      }
    }
    // Store what is left.
    var next = 0u;
    var bits_ = 0u;
    var code_ = 0u;
    var pack: vec4u;
    words[filled] = vec2u(7u, P.count);
    let vectors = (found + 3u) >> 2u;
    for (var left = vectors - stored; left > 0u; left--) {
      if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
      {
        let bit = bits_ & (0u - bits_);
        pack.x = code_ + (bitcast<u32>(f32(bit)) >> 23u);
        bits_ ^= bit;
      }
      if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
      {
        let bit = bits_ & (0u - bits_);
        pack.y = code_ + (bitcast<u32>(f32(bit)) >> 23u);
        bits_ ^= bit;
      }
      if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
      {
        let bit = bits_ & (0u - bits_);
        pack.z = code_ + (bitcast<u32>(f32(bit)) >> 23u);
        bits_ ^= bit;
      }
      if (bits_ == 0u) { let word = words[next]; bits_ = word.x; code_ = word.y - 127u; next++; }
      {
        let bit = bits_ & (0u - bits_);
        pack.w = code_ + (bitcast<u32>(f32(bit)) >> 23u);
        bits_ ^= bit;
      }
      if (stored < P.columns) { entries_set(u32(stored * P.stride + index), pack); }
      stored++;
    }
    if (images >= 67108864u) { atomicOr(&imaged[lane / 32u], 1u); }
  }
  atomicMax(&longest, found);
  workgroupBarrier();
  // One flag for each wave, so that its threads go the same way later.
  if (own < P.end) { counts[own] = min(found, P.capacity) | (atomicLoad(&imaged[lane / 32u]) << 31u); }
  if (lane == 0u) {
    let here = atomicLoad(&longest);
    if (here > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], here); }
  }
}
