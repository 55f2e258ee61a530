// attract + kick + speeds │ combine + control │ rescale + kick + drift + displacement, many steps
//
// Calls pair functor 'attract' for every neighbor within the cutoff; 32 threads share a particle.
//   list      four entries of the particle's list at a time
//   meet      displacement to the nearest image, cutoff, functor
//   combine   what the threads of a particle have found is added up
//   store     sums overwrite the particle's rows of force, which a call before would have cleared
//   then      the cell functors that follow run on the same rows: kick
//   reduce    reduce functors leave a partial result of the workgroup: speeds
// Each workgroup combines the partial results of all, in a fixed order.
// One thread computes values of the context from others: control.
// One thread a particle.
//   load      rows of the particle
//   call      cell functors in order: rescale, kick, drift
//   store     rows that were written
//   note      the largest displacement since the lists were built
// Many steps in one dispatch: workgroups meet after each, and see positions in `meeting`.
//   sums      they meet within a step too, and see partial results there
//   values    each workgroup computes them for itself
//   build     each workgroup builds the lists of its particles, before some steps and where one votes for it

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  center: vec4f, // center of the first cell
  p_epsilon: f32, // p.epsilon
  p_sigma2: f32, // p.sigma2
  p___rcut2: f32, // square of the call's cutoff
  e0_p_halfDt: f32, // p.halfDt of kick
  rcut2: f32, // square of the cutoff
  first: u32, // rows of this dispatch: first … end − 1
  end: u32,
  firstGroup: u32, // number of the first workgroup
  stride: u32, // entry k of a row is entries[k · stride + row]
  groups: u32, // workgroups of the whole call
  @size(136) one: f32, // 1, read at run time: compilers must not rearrange sums
}
struct Params1 {
  v0_p_target: f32, // p.target of control
  groups: u32, // workgroups of the whole call
  @size(248) one: f32, // 1, read at run time: compilers must not rearrange sums
}
struct Params2 {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  slot: u32, // record of this update
  list: u32, // list of fast particles
  mostFast: u32, // fast particles that it has room for
  tau2: f32, // square of the displacement beyond which a particle is fast
  f0_v_scale: u32,
  f1_p_halfDt: f32, // p.halfDt of kick
  f2_p_dt: f32, // p.dt of drift
  @size(164) count: u32, // particles
}
struct Build {
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
  @size(112) slot: u32, // record of this update
}
struct Step { P: Params, P1: Params1, P2: Params2, }
struct Series {
  steps: u32,
  @size(8) met: u32, // how often workgroups have met before
  exchanged: u32, // 1: positions go to the other buffer in the end
  builds: array<vec4u, 2>, // bit k: lists are built before step k
  @size(208) own: array<vec4u, 2>, // bit k: step k has the next record; others differ in `slot` from the step before
  @size(256) build: Build,
  records: array<Step, 84>,
}
@group(0) @binding(10) var<uniform> series: Series;
// Parameters of the present step, one record for each of its kernels.
var<private> P: Params;
var<private> P1: Params1;
var<private> P2: Params2;

@group(0) @binding(0) var<storage, read_write> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell
@group(0) @binding(1) var<storage, read_write> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read_write> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(3) var<storage, read> b_mass: array<f32>; // mass
@group(0) @binding(4) var<storage, read_write> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(5) var<storage, read_write> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)
@group(0) @binding(6) var<storage, read_write> reference: array<vec4u>; // positions for which the lists were built
@group(0) @binding(7) var<storage, read_write> displacements: array<atomic<u32>>; // records of displacements since the lists were built
@group(0) @binding(8) var<storage, read_write> meeting: Meeting; // how often workgroups have met, whether one waited in vain; rows that all of them see
@group(0) @binding(9) var<storage, read_write> values: array<vec2f>;

// A line of memory of its own.
struct Head { met: atomic<u32>, failed: atomic<u32>, unused: array<u32, 30> }
struct Meeting { heads: array<Head, 1>, rows: array<vec4u> }
// The count of the next meeting: rows that are stored now carry it.
var<private> storeRound: u32;
// That of the last one: rows that are loaded now must carry it.
var<private> loadRound: u32;
// Not 0 once a row had another number: it had not arrived.
var<private> missed: u32;
fn fail() { atomicStore(&meeting.heads[0].failed, 1u); }
fn hasFailed() -> bool { return atomicLoad(&meeting.heads[0].failed) != 0u; }
fn storeShared(row: u32, words: vec3u) { meeting.rows[row] = vec4u(words, storeRound); }
fn loadShared(row: u32) -> vec3u {
  let found = meeting.rows[row];
  missed |= found.w ^ loadRound;
  return found.xyz;
}
var<workgroup> hasMet: u32;
fn arrive(lane: u32) {
  if (missed != 0u) { fail(); }
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&meeting.heads[0].met, 1u);
  }
}
fn haveMet(lane: u32, after: u32) -> bool {
  if (lane == 0u) {
    hasMet = 0u;
    for (var looks = 100000u; looks > 0u; looks--) {
      let since = atomicLoad(&meeting.heads[0].met) - after;
      if (i32(since << 20u) >= 0) {
        hasMet = 1u;
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}
fn meetAll(lane: u32, after: u32) -> bool {
  arrive(lane);
  return haveMet(lane, after);
}

var<workgroup> voice: atomic<u32>;
// Votes of this workgroup that stand: of the meeting before the last one, and of the last one.
var<private> votes: vec2u;
// Any thread may ask for its workgroup to vote.
fn askToVote() { atomicStore(&voice, 1u); }
// So it does where a particle has gone farther than tau.
fn noteFast(row: vec4u, before: vec4u) { askToVote(); }
fn bitsOfVotes(meeting: u32) -> u32 { return 12u + 10u * (meeting & 1u); }
fn vote(lane: u32, meetingNumber: u32, counts: bool) {
  if (missed != 0u) { fail(); }
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) {
    let mine = select(0u, atomicLoad(&voice), counts) << bitsOfVotes(meetingNumber);
    atomicStore(&voice, 0u);
    atomicAdd(&meeting.heads[0].met, 1u + mine - votes.x);
    votes = vec2u(votes.y, mine);
  }
}
fn endVotes(lane: u32) {
  if (lane == 0u && any(votes != vec2u(0u))) { atomicSub(&meeting.heads[0].met, votes.x + votes.y); }
}
// 0 where workgroups did not meet, 1 where they did, 3 where one of them has voted.
fn haveVoted(lane: u32, after: u32, meetingNumber: u32) -> u32 {
  if (lane == 0u) {
    hasMet = 0u;
    for (var looks = 100000u; looks > 0u; looks--) {
      let since = atomicLoad(&meeting.heads[0].met) - after;
      if (i32(since << 20u) >= 0) {
        hasMet = select(1u, 3u, ((since >> bitsOfVotes(meetingNumber)) & 1023u) != 0u);
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }
  return workgroupUniformLoad(&hasMet);
}

fn isMarked(bits: vec4u, step: u32) -> bool { return (bits[(step >> 5u) & 3u] & (1u << (step & 31u))) != 0u; }
// Rows before the positions that a step reads, and before those that it writes. Cells stay: only sorts change them.
var<private> readAt: u32;
var<private> writeAt: u32;
// Bits of a packed cell that cells of this box take.
var<private> cellBits: u32;
fn bitsOfCells(dims: vec3u) -> u32 {
  let bits = (vec3u(1u) << (vec3u(32u) - countLeadingZeros(dims))) - vec3u(1u);
  return bits.x | (bits.y << 10u) | (bits.z << 20u);
}
// The number of a meeting, spread over the other bits, of which there are a dozen at least.
fn markOf(round: u32) -> u32 { return (round * 2654435769u) & ~cellBits; }
// That of the positions that are loaded now.
var<private> loadMark: u32;
fn storePosition(row: u32, position: vec4u) { meeting.rows[row] = vec4u(position.xyz, position.w | markOf(storeRound)); }
fn positionAt(row: u32) -> vec4u {
  let found = meeting.rows[readAt + row];
  missed |= (found.w & ~cellBits) ^ loadMark;
  return vec4u(found.xyz, found.w & cellBits);
}
// That of a particle of this thread, which it has loaded before the last meeting.
fn ownPosition(row: u32) -> vec4u {
  let found = meeting.rows[readAt + row];
  return vec4u(found.xyz, found.w & cellBits);
}
// Partial results follow the positions, those of a workgroup in 2 rows: no two workgroups write to the same sector of a cache.
var<private> partialsAt: u32;
fn rowOfPartial(k: u32) -> u32 {
  let result = u32(k >= 1u * P.groups);
  return partialsAt + 2u * (k - result * P.groups) + result;
}
fn storePartial(k: u32, found: vec2u) { storeShared(rowOfPartial(k), vec3u(found, 0u)); }
fn partialAt(k: u32) -> vec2u { return loadShared(rowOfPartial(k)).xy; }
// Values of the context as this workgroup has found them.
var<workgroup> held: array<vec2f, 256>;
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

var<workgroup> tree: array<array<vec2u, 4>, 2>;

// Compilers rearrange plain additions.
fn plus(a: f32, b: f32) -> f32 { return fma(a, P.one, b); }
// Sums of reals, each with its rounding error.
fn addReals(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus(a.x, b.x);
  let t = plus(s, -a.x);
  let e = plus(plus(a.x, -plus(s, -t)), plus(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus(plus(a.y, b.y), e)));
}

// The same for four, neighbors first.
fn addReals4(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return addReals(addReals(a, b), addReals(c, d)); }

fn maxReals(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(bitcast<u32>(max(bitcast<f32>(a.x), bitcast<f32>(b.x))), 0u);
}

// The same for four, neighbors first.
fn maxReals4(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return maxReals(maxReals(a, b), maxReals(c, d)); }

// Reduce functor speeds.
struct functor_speeds_s0_acc { energy_: f32, fastest_: f32 }
struct functor_speeds_s0_i { vx_: f32, vy_: f32, vz_: f32, mass_: f32 }

fn functor_speeds_s0(acc: ptr<function, functor_speeds_s0_acc>, i: functor_speeds_s0_i) {
  var v2_0: f32 = (((i.vx_ * i.vx_) + (i.vy_ * i.vy_)) + (i.vz_ * i.vz_));
  (*acc).energy_ += ((0.5f * i.mass_) * v2_0);
  (*acc).fastest_ = max((*acc).fastest_, v2_0);
}

// Pair functor attract: fields of the particle i, fields of the neighbor j.
struct functor_attract_i { fx_: f32, fy_: f32, fz_: f32 }
struct functor_attract_j { pad_: u32 }

fn functor_attract(i: ptr<function, functor_attract_i>, j: functor_attract_j, d: vec4f) {
  var taken_0: bool = (d.w < P.p___rcut2);
  var inverse_0: f32 = (1.0f / d.w);
  var s2_1: f32 = (P.p_sigma2 * inverse_0);
  var s6_2: f32 = ((s2_1 * s2_1) * s2_1);
  var f_3: f32 = ((((24.0f * P.p_epsilon) * s6_2) * ((2.0f * s6_2) - 1.0f)) * inverse_0);
  (*i).fx_ += (select(0.0f, f_3, taken_0) * d.x);
  (*i).fy_ += (select(0.0f, f_3, taken_0) * d.y);
  (*i).fz_ += (select(0.0f, f_3, taken_0) * d.z);
}

// Row of a list entry.
fn rowOf(e: u32) -> u32 { return e & 67108863u; }
// Cells as whole numbers in the mantissa, the second one 1024 times too large: no shift, no conversion. Differences are
// exact.
fn cellParts(w: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(w & 1023u, w & 0xffc00u, w >> 20u) | vec3u(0x4b000000u));
}
// Vector from q to xi, so many cells apart.
fn between(xi: vec3f, q: vec4u, cells: vec3f) -> vec3f {
  return xi - relative(q) + cellVectorOf(cells * vec3f(1.0, 0.0009765625, 1.0));
}

// Image of a list entry, as cells in the mantissa. No shift and no conversion for an axis: whole numbers, four and sixteen times too large
// along the second and the third.
fn imageParts(e: u32, apart: vec3f) -> vec3f {
  let code = (e >> 26u) ^ 21u;
  let biased = bitcast<vec3f>((vec3u(code) & vec3u(3u, 12u, 48u)) | vec3u(0x4b000000u));
  return (biased - vec3f(8388609.0, 8388612.0, 8388624.0)) * (vec3f(P.dims.xyz) * vec3f(1.0, 256.0, 0.0625));
}

// Cell functor kick.
struct functor_kick_e0_i { vx_: f32, vy_: f32, vz_: f32, fx_: f32, fy_: f32, fz_: f32, mass_: f32 }

fn functor_kick_e0(i: ptr<function, functor_kick_e0_i>) {
  var s_0: f32 = (P.e0_p_halfDt / (*i).mass_);
  (*i).vx_ += (s_0 * (*i).fx_);
  (*i).vy_ += (s_0 * (*i).fy_);
  (*i).vz_ += (s_0 * (*i).fz_);
}

// The functor for one neighbor within reach.
fn call(i: ptr<function, functor_attract_i>, d: vec4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
}

// A listed neighbor.
fn meetPlain(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart);
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), e);
}
// A listed neighbor, perhaps a periodic image.
fn meet(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart + imageParts(e, apart));
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), rowOf(e));
}
var<workgroup> threadSums: array<functor_attract_i, 124>;
var<workgroup> tree_1: array<array<vec2u, 128>, 2>;

// Compilers rearrange plain additions.
fn plus_1(a: f32, b: f32) -> f32 { return fma(a, P1.one, b); }
// Sums of reals, each with its rounding error.
fn addReals_1(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus_1(a.x, b.x);
  let t = plus_1(s, -a.x);
  let e = plus_1(plus_1(a.x, -plus_1(s, -t)), plus_1(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus_1(plus_1(a.y, b.y), e)));
}

// The same for four, neighbors first.
fn addReals4_1(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return addReals_1(addReals_1(a, b), addReals_1(c, d)); }

fn maxReals_1(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(bitcast<u32>(max(bitcast<f32>(a.x), bitcast<f32>(b.x))), 0u);
}

// The same for four, neighbors first.
fn maxReals4_1(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return maxReals_1(maxReals_1(a, b), maxReals_1(c, d)); }

var<workgroup> found_1: array<vec2u, 2>;

// Value functor control.
struct functor_control_v0_i_1 { energy_: f32, scale_: f32 }

fn functor_control_v0_1(i: ptr<function, functor_control_v0_i_1>) {
  (*i).scale_ = sqrt((P1.v0_p_target / (*i).energy_));
}

// Cell of a particle, ten bits an axis.
fn unpackCell_2(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Vector from the center of its cell to a particle.
fn relative_2(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf_2(c: vec3f) -> vec3f {
  return c.x * P2.edgeA.xyz + c.y * P2.edgeB.xyz + c.z * P2.edgeC.xyz;
}
// The same for whole cells.
fn cellVector_2(c: vec3i) -> vec3f { return cellVectorOf_2(vec3f(c)); }

// Largest squared displacement in the workgroup, and the first row that is not finite.
var<workgroup> farthest_2: atomic<u32>;
var<workgroup> broken_2: atomic<u32>;
fn isFinite_2(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }

// Cell functor rescale.
struct functor_rescale_f0_i_2 { vx_: f32, vy_: f32, vz_: f32 }

fn functor_rescale_f0_2(i: ptr<function, functor_rescale_f0_i_2>) {
  (*i).vx_ = ((*i).vx_ * held[P2.f0_v_scale].x);
  (*i).vy_ = ((*i).vy_ * held[P2.f0_v_scale].x);
  (*i).vz_ = ((*i).vz_ * held[P2.f0_v_scale].x);
}

// Cell functor kick.
struct functor_kick_f1_i_2 { vx_: f32, vy_: f32, vz_: f32, fx_: f32, fy_: f32, fz_: f32, mass_: f32 }

fn functor_kick_f1_2(i: ptr<function, functor_kick_f1_i_2>) {
  var s_0_2: f32 = (P2.f1_p_halfDt / (*i).mass_);
  (*i).vx_ += (s_0_2 * (*i).fx_);
  (*i).vy_ += (s_0_2 * (*i).fy_);
  (*i).vz_ += (s_0_2 * (*i).fz_);
}

// Cell functor drift.
struct functor_drift_f2_i_2 { rx_: f32, ry_: f32, rz_: f32, vx_: f32, vy_: f32, vz_: f32 }

fn functor_drift_f2_2(i: ptr<function, functor_drift_f2_i_2>) {
  (*i).rx_ += (P2.f2_p_dt * (*i).vx_);
  (*i).ry_ += (P2.f2_p_dt * (*i).vy_);
  (*i).rz_ += (P2.f2_p_dt * (*i).vz_);
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
  let index = group * 128u + lane;

  P = series.records[0].P;
  let count = P.end;
  let filled = count + 16u;
  let rows = (filled + 7u) / 8u * 8u;
  let threads = groups3.x * 128u;
  for (var k = lane; k < 256u; k += 128u) { held[k] = values[k]; }
  cellBits = bitsOfCells(vec3u(P.dims.xyz));
  storeRound = series.met + groups3.x;
  writeAt = 0u;
  for (var row = index; row < filled; row += threads) { storePosition(writeAt + row, b_position[row]); }
  var isWhole = meetAll(lane, storeRound);
  // Whether a workgroup has voted for other lists.
  var isAsked = false;
  // The first step has the first record.
  var record = 0u;
  var since = 0u;
  let steps = series.steps;
  for (var step = 0u; step < steps && isWhole; step++) {
    let noted = P2.slot;
    since++;
    if (isMarked(series.own[step >> 7u], step)) {
      record += select(0u, 1u, step > 0u);
      since = 0u;
    }
    P = series.records[record].P;
    readAt = writeAt;
    writeAt += rows + ((2u * groups3.x) + 7u) / 8u * 8u;
    partialsAt = writeAt + rows;
    loadRound = storeRound;
    loadMark = markOf(loadRound);
    storeRound += groups3.x;

    if (isAsked && index == 0u) { atomicAdd(&displacements[4u * noted + 3u], 65536u); }
    if (isAsked || isMarked(series.builds[step >> 7u], step)) {
      {
        let particle = lane % 4u;
        let thread = lane / 4u;
        let own = group * 4u + particle;
        let last = series.build.count - 1u;
        let mine = positionAt(min(own, last));
        let x = fromFirstCell(mine);
        let dims = vec3f(series.build.dims.xyz);
        let box = series.build.box.xyz;
        if (lane == 0u) { atomicStore(&foundImages, 0u); }
        let some = series.build.count;
        var images = 0u;
        var total = 0u;
        let tiles = (some + 511u) / 512u;
        for (var t = tiles; t > 0u; t--) {
          let begin = 512u * (tiles - t);
          workgroupBarrier();
          for (var k = lane; k < 512u; k += 128u) {
            let row = min(begin + k, last);
            tile[k] = vec4u(bitcast<vec3u>(fromFirstCell(positionAt(row))), row);
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
              word = (word << 1u) | select(0u, 1u, dot(d, d) < series.build.radius2);
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
          let room = select(0u, max(series.build.capacity, next) - next, own < series.build.count);
          var w = 0u;
          var left = near[0];
          for (var more = min(found, room); more > 0u; more--) {
            for (; left == 0u; left = near[w]) { w++; }
            let there = tile[32u * (16u * w + firstTrailingBit(left)) + thread];
            left &= left - 1u;
            let code = imageCode(-boxesOf(x - bitcast<vec3f>(there.xyz), box)) << 26u;
            images |= code;
            entries[(next >> 2u) * series.build.stride + own][next & 3u] = there.w | code;
            next++;
          }
        }
        // Count: dummies fill up the last vector.
        if (images != 0u) { atomicOr(&foundImages, 1u); }
        workgroupBarrier();
        if (own < series.build.count && thread == 0u) {
          let kept = min(total, series.build.capacity);
          for (var at = kept; (at & 3u) != 0u; at++) { entries[(at >> 2u) * series.build.stride + own][at & 3u] = series.build.count + (at & 3u); }
          reference[own] = mine;
          let outside = abs(vec3f(dot(x, series.build.perBoxX.xyz), dot(x, series.build.perBoxY.xyz), dot(x, series.build.perBoxZ.xyz)) + 0.5 / dims - 0.5) - 0.5;
          if (max(outside.x, max(outside.y, outside.z)) > 0.25) { atomicOr(&displacements[4u * noted + 3u], 134217728u); }
          counts[own] = kept | (atomicLoad(&foundImages) << 31u);
          if (total > atomicLoad(&displacements[4u * noted + 2u])) { atomicMax(&displacements[4u * noted + 2u], total); }
        }
      }
      storageBarrier();
    }
    {
      // The particle of this thread.
      var own_0 = vec2u(0u); // energy
      var own_1 = vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u); // fastest
      let slot = group * 4u + lane % 4u;
      let thread = lane / 4u;
      let own = P.first + slot;

      var i = functor_attract_i();
      if (own < P.end) {
        let place = positionAt(own);
        let xi = relative(place);
        let ci = cellParts(place.w);

        // Walk along its list; the next vector of four entries is on the way while this one is worked on.
        let word = counts[own];
        let listed = word & 0x7fffffffu;
        // No neighbor of particles nearby is a periodic image: entries are rows.
        if (word == listed) {
          var at = slot + thread * P.stride;
          var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
          for (var left = (((listed + 3u) >> 2u) + 31u - thread) / 32u; left > 0u; left--) {
            let v = next;
            at += 32u * P.stride;
            if (left > 1u) { next = entries[at]; }
            let qx = positionAt(v.x);
            let qy = positionAt(v.y);
            let qz = positionAt(v.z);
            let qw = positionAt(v.w);
            meetPlain(&i, xi, ci, v.x, qx);
            meetPlain(&i, xi, ci, v.y, qy);
            meetPlain(&i, xi, ci, v.z, qz);
            meetPlain(&i, xi, ci, v.w, qw);
          }
        } else { // entries tell row and image
          var at = slot + thread * P.stride;
          var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
          for (var left = (((listed + 3u) >> 2u) + 31u - thread) / 32u; left > 0u; left--) {
            let v = next;
            at += 32u * P.stride;
            if (left > 1u) { next = entries[at]; }
            let qx = positionAt(rowOf(v.x));
            let qy = positionAt(rowOf(v.y));
            let qz = positionAt(rowOf(v.z));
            let qw = positionAt(rowOf(v.w));
            meet(&i, xi, ci, v.x, qx);
            meet(&i, xi, ci, v.y, qy);
            meet(&i, xi, ci, v.z, qz);
            meet(&i, xi, ci, v.w, qw);
          }
        }
      }
      // Add what the other threads of the particle have found, in a fixed order.
      if (thread >= 4u && thread < 32u) {
        threadSums[lane - 4u] = i;
      }
      workgroupBarrier();
      if (thread < 4u) {
        for (var left = 7u; left > 0u; left--) {
          let other = lane + (8u - left) * 16u - 4u;
          i.fx_ += threadSums[other].fx_;
          i.fy_ += threadSums[other].fy_;
          i.fz_ += threadSums[other].fz_;
        }
      }
      if (thread >= 1u && thread < 4u) {
        threadSums[lane - 4u] = i;
      }
      workgroupBarrier();
      if (thread < 1u) {
        for (var left = 3u; left > 0u; left--) {
          let other = lane + (4u - left) * 4u - 4u;
          i.fx_ += threadSums[other].fx_;
          i.fy_ += threadSums[other].fy_;
          i.fz_ += threadSums[other].fz_;
        }
      }
      // Store what the particle received.
      if (own < P.end && thread == 0u) {
        var out_force = vec4f();
        out_force.x = out_force.x + i.fx_;
        out_force.y = out_force.y + i.fy_;
        out_force.z = out_force.z + i.fz_;
        b_force[own] = out_force;
        // What follows the pair call.
        {
          var row_velocity = b_velocity[own];
          var row_force = out_force;
          var row_mass = b_mass[own];
          // kick
          {
            var i = functor_kick_e0_i();
            i.vx_ = row_velocity.x;
            i.vy_ = row_velocity.y;
            i.vz_ = row_velocity.z;
            i.fx_ = row_force.x;
            i.fy_ = row_force.y;
            i.fz_ = row_force.z;
            i.mass_ = row_mass;
            functor_kick_e0(&i);
            row_velocity.x = i.vx_;
            row_velocity.y = i.vy_;
            row_velocity.z = i.vz_;
          }
          b_velocity[own] = row_velocity;
          // speeds
          {
            var i = functor_speeds_s0_i();
            i.vx_ = row_velocity.x;
            i.vy_ = row_velocity.y;
            i.vz_ = row_velocity.z;
            i.mass_ = row_mass;
            var acc = functor_speeds_s0_acc();
            acc.energy_ = 0.0;
            acc.fastest_ = bitcast<f32>(0xff7fffffu);
            functor_speeds_s0(&acc, i);
            own_0 = vec2u(bitcast<u32>(acc.energy_), 0u);
            own_1 = vec2u(bitcast<u32>(acc.fastest_), 0u);
          }
        }
      }

      // Combine the threads of the workgroup in a tree, and store one result.
      if (lane < 4u) {
        let leaf = lane;
        tree[0][leaf] = own_0;
        tree[1][leaf] = own_1;
      }
      workgroupBarrier();

      if (lane < 1u && (P.firstGroup + group) < P.groups) {
        let slot = 0u;
        let outcome = addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]);
        storePartial((P.firstGroup + group), outcome);
      }
      if (lane < 1u && (P.firstGroup + group) < P.groups) {
        let slot = 1u;
        let outcome = maxReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]);
        storePartial(P.groups + (P.firstGroup + group), outcome);
      }
    }
    arrive(lane);
    // Rows of the particle are on the way meanwhile.
    let own = P.first + group * 4u + lane % 4u;
    let near = min(own, count - 1u);
    var row_velocity = b_velocity[near];
    var row_force = b_force[near];
    var row_mass = b_mass[near];
    var row_position = ownPosition(near);
    let before = reference[near];
    P1 = series.records[record].P1;
    // Values that functors compute with.
    var value_0 = f32(); var value_1 = f32(); var value_2 = f32();
    if (lane == 0u) {
      value_2 = held[2u].x;
    }
    isWhole = haveMet(lane, storeRound);
    if (!isWhole) { break; }
    loadRound = storeRound;
    storeRound += groups3.x;
    {
      // Combine a few partial results.
      let last = P1.groups - 1u;
      let first = lane;

      let own_0 = select(vec2u(0u), partialAt(min(first, last)), first <= last);
      let own_1 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partialAt(P1.groups + min(first, last)), first <= last);
      // Combine the threads of the workgroup in a tree, and store one result.
      {
        let leaf = (lane & 15u) * 8u + (lane >> 4u);
        tree_1[0][leaf] = own_0;
        tree_1[1][leaf] = own_1;
      }
      workgroupBarrier();
      if (lane < 8u) {
        let slot = 0u;
        let node = lane;
        tree_1[slot][node] = addReals4_1(
          addReals4_1(tree_1[slot][node], tree_1[slot][node + 8u], tree_1[slot][node + 16u], tree_1[slot][node + 24u]),
          addReals4_1(tree_1[slot][node + 32u], tree_1[slot][node + 40u], tree_1[slot][node + 48u], tree_1[slot][node + 56u]),
          addReals4_1(tree_1[slot][node + 64u], tree_1[slot][node + 72u], tree_1[slot][node + 80u], tree_1[slot][node + 88u]),
          addReals4_1(tree_1[slot][node + 96u], tree_1[slot][node + 104u], tree_1[slot][node + 112u], tree_1[slot][node + 120u])
        );
      }
      if (lane < 8u) {
        let slot = 1u;
        let node = lane;
        tree_1[slot][node] = maxReals4_1(
          maxReals4_1(tree_1[slot][node], tree_1[slot][node + 8u], tree_1[slot][node + 16u], tree_1[slot][node + 24u]),
          maxReals4_1(tree_1[slot][node + 32u], tree_1[slot][node + 40u], tree_1[slot][node + 48u], tree_1[slot][node + 56u]),
          maxReals4_1(tree_1[slot][node + 64u], tree_1[slot][node + 72u], tree_1[slot][node + 80u], tree_1[slot][node + 88u]),
          maxReals4_1(tree_1[slot][node + 96u], tree_1[slot][node + 104u], tree_1[slot][node + 112u], tree_1[slot][node + 120u])
        );
      }
      workgroupBarrier();
      if (lane < 1u) {
        let slot = 0u;
        let outcome = addReals_1(
          addReals4_1(tree_1[slot][0u], tree_1[slot][1u], tree_1[slot][2u], tree_1[slot][3u]),
          addReals4_1(tree_1[slot][4u], tree_1[slot][5u], tree_1[slot][6u], tree_1[slot][7u])
        );
        found_1[0] = outcome;
      }
      if (lane < 1u) {
        let slot = 1u;
        let outcome = maxReals_1(
          maxReals4_1(tree_1[slot][0u], tree_1[slot][1u], tree_1[slot][2u], tree_1[slot][3u]),
          maxReals4_1(tree_1[slot][4u], tree_1[slot][5u], tree_1[slot][6u], tree_1[slot][7u])
        );
        found_1[1] = outcome;
      }
      workgroupBarrier();
      if (lane == 0u) {
        value_0 = bitcast<f32>(found_1[0].x);
        value_1 = bitcast<f32>(found_1[1].x);
        // control
        {
          var i = functor_control_v0_i_1();
          i.energy_ = value_0;
          i.scale_ = value_2;
          functor_control_v0_1(&i);
          value_2 = i.scale_;
        }
        held[0u] = bitcast<vec2f>(found_1[0]);
        held[1u] = bitcast<vec2f>(found_1[1]);
        held[2u] = vec2f(value_2, 0.0);
      }
    }
    workgroupBarrier();
    {
      // The first thread of each particle.
      let index = select(0xffffffffu, own, lane < 4u);
      {
        P2 = series.records[record].P2; P2.slot += since;

        if (index < P2.count) {
          // rescale
          {
            var i = functor_rescale_f0_i_2();
            i.vx_ = row_velocity.x;
            i.vy_ = row_velocity.y;
            i.vz_ = row_velocity.z;
            functor_rescale_f0_2(&i);
            row_velocity.x = i.vx_;
            row_velocity.y = i.vy_;
            row_velocity.z = i.vz_;
          }
          // kick
          {
            var i = functor_kick_f1_i_2();
            i.vx_ = row_velocity.x;
            i.vy_ = row_velocity.y;
            i.vz_ = row_velocity.z;
            i.fx_ = row_force.x;
            i.fy_ = row_force.y;
            i.fz_ = row_force.z;
            i.mass_ = row_mass;
            functor_kick_f1_2(&i);
            row_velocity.x = i.vx_;
            row_velocity.y = i.vy_;
            row_velocity.z = i.vz_;
          }
          // drift
          {
            var i = functor_drift_f2_i_2();
            i.rx_ = 0.0;
            i.ry_ = 0.0;
            i.rz_ = 0.0;
            i.vx_ = row_velocity.x;
            i.vy_ = row_velocity.y;
            i.vz_ = row_velocity.z;
            functor_drift_f2_2(&i);
            row_position.x = bitcast<u32>(bitcast<f32>(row_position.x) + (i.rx_));
            row_position.y = bitcast<u32>(bitcast<f32>(row_position.y) + (i.ry_));
            row_position.z = bitcast<u32>(bitcast<f32>(row_position.z) + (i.rz_));
          }
          b_velocity[index] = row_velocity;
          storePosition(writeAt + index, row_position);

          // Displacement since the lists were built.
          if (isFinite_2(row_position.x) && isFinite_2(row_position.y) && isFinite_2(row_position.z)) {
            let moved = relative_2(row_position) - relative_2(before)
              + cellVector_2(unpackCell_2(row_position.w) - unpackCell_2(before.w));
            let far = min(dot(moved, moved), 3e38);
            atomicMax(&farthest_2, bitcast<u32>(far));
            if (far > P2.tau2) { noteFast(row_position, before); }
          } else {
            atomicMax(&broken_2, ~index);
          }
        }
      }
    }
    // Lists point to dummy rows too, which never move.
    if (index < 16u) { storePosition(writeAt + count + index, b_position[count + index]); }
    vote(lane, step, step + 1u < steps);
    // Not by the thread that waits.
    if (lane == 64u) {
      // Note the largest displacement of the workgroup.
      let most = atomicExchange(&farthest_2, 0u);
      if (most > atomicLoad(&displacements[4u * P2.slot])) { atomicMax(&displacements[4u * P2.slot], most); }
      let first = atomicExchange(&broken_2, 0u);
      if (first > 0u) { atomicMax(&displacements[4u * P2.slot + 1u], first); }
    }
    let met = haveVoted(lane, storeRound, step);
    isWhole = met != 0u;
    isAsked = (met & 2u) != 0u;
  }
  if (isWhole) { endVotes(lane); }
  if (isWhole && !hasFailed()) {
    readAt = writeAt;
    loadMark = markOf(storeRound);

    for (var row = index; row < count; row += threads) {
      let position = positionAt(row);
      b_position[row] = position;
    }
    for (var k = index; k < 256u && group == 0u; k += 128u) { values[k] = held[k]; }
    isWhole = missed == 0u;
  } else {
    isWhole = false;
  }
  if (!isWhole) {
    // A workgroup did not come, or its rows did not arrive: the host makes these steps without a series.
    atomicOr(&displacements[4u * (series.records[record].P2.slot + since) + 3u], 536870912u);
  }
}
