// resident: probe
//
// Tries whether all workgroups can meet, and see what the others have stored.
//   say       each workgroup stores words of this round
//   meet      all wait for all
//   look      the words of all others must be there

struct Params {
  steps: u32, // steps of the series
  met: u32, // how often workgroups have met before it, and before the probe
  probed: u32,
}
@group(0) @binding(1) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> meeting: array<SharedRow>; // how often workgroups have met, whether one waited in vain; rows that all of them see

struct SharedRow { x: atomic<u32>, y: atomic<u32>, z: atomic<u32>, pad: u32 }
fn fail() { atomicStore(&meeting[0].y, 1u); }
fn hasFailed() -> bool { return atomicLoad(&meeting[0].y) != 0u; }
fn say(row: u32, words: vec3u) {
  atomicStore(&meeting[row].x, words.x);
  atomicStore(&meeting[row].y, words.y);
  atomicStore(&meeting[row].z, words.z);
  if (atomicLoad(&meeting[row].z) != words.z) { fail(); }
}
fn hear(row: u32) -> vec3u {
  return vec3u(atomicLoad(&meeting[row].x), atomicLoad(&meeting[row].y), atomicLoad(&meeting[row].z));
}
var<workgroup> hasMet: u32;
fn meetAll(lane: u32, after: u32) -> bool {
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&meeting[0].x, 1u);
    hasMet = 0u;
    for (var looks = 100000u; looks > 0u; looks--) {
      if (i32(atomicLoad(&meeting[0].x) - after) >= 0) {
        hasMet = 1u;
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}

fn wordsOf(round: u32, other: u32) -> vec3u { return vec3u(round * 747796405u + other) + vec3u(0u, 1u, 2u); }

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u,
  @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  let groups = groups3.x;
  var after = P.probed;
  var isWhole = true;
  for (var round = 1u; round <= 64u && isWhole; round++) {
    let first = 16u + (round & 1u) * groups;
    if (lane == 0u) { say(first + group, wordsOf(round, group)); }
    after += groups;
    isWhole = meetAll(lane, after);
    for (var other = lane; other < groups && isWhole; other += 128u) {
      if (any(hear(first + other) != wordsOf(round, other))) { fail(); }
    }
  }
}
