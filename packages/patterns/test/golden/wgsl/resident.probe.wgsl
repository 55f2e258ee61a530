// resident: probe
//
// Tries whether all workgroups can meet, and see what the others have stored.
//   store     each workgroup stores words of this round
//   meet      all wait for all
//   look      the words of all others must be there

struct Params {
  steps: u32, // steps of the series
  met: u32, // how often workgroups have met before it, and before the probe
  probed: u32,
}
@group(0) @binding(1) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> meeting: Meeting; // how often workgroups have met, whether one waited in vain; rows that all of them see

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

fn wordsOf(round: u32, other: u32) -> vec3u { return vec3u(round * 747796405u + other) + vec3u(0u, 1u, 2u); }

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  let groups = groups3.x;
  storeRound = P.probed;
  var isWhole = true;
  for (var round = 0u; round < 64u && isWhole; round++) {
    let first = 8u * groups * round;
    storeRound += groups;
    if (lane < 8u) { storeShared(first + 8u * group + lane, wordsOf(round, group)); }
    isWhole = meetAll(lane, storeRound);
    loadRound = storeRound;
    for (var other = lane; other < groups && isWhole; other += 128u) {
      if (any(loadShared(first + 8u * other + lane % 8u) != wordsOf(round, other))) { fail(); }
    }
  }
}
