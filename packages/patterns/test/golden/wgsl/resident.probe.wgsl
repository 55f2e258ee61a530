// resident: probe
//
// Tries whether all workgroups can meet, and see what the others have stored.
//   say       each workgroup stores a word of this round
//   meet      all wait for all
//   look      the words of all others must be there

struct Params {
  steps: u32, // steps of the stretch
  met: u32, // how often workgroups have met before it, and before the probe
  probed: u32,
}
@group(0) @binding(1) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> meeting: array<atomic<u32>>; // how often workgroups have met, whether one waited in vain; what all of them see

fn fail() { atomicStore(&meeting[1], 1u); }
fn say(word: u32, value: u32) {
  atomicStore(&meeting[word], value);
  if (atomicLoad(&meeting[word]) != value) { fail(); }
}
var<workgroup> hasMet: u32;
fn meetAll(lane: u32, after: u32) -> bool {
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&meeting[0], 1u);
    var looks = 100000u;
    for (; looks > 0u; looks--) {
      if (i32(atomicLoad(&meeting[0]) - after) >= 0) { break; }
      if (atomicLoad(&meeting[1]) != 0u) { looks = 1u; }
    }
    if (looks == 0u) { fail(); }
    hasMet = select(0u, 1u, looks > 0u);
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}

fn wordOf(round: u32, other: u32) -> u32 { return round * 747796405u + other; }

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u,
  @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  let groups = groups3.x;
  var after = P.probed;
  var isWhole = true;
  for (var round = 1u; round <= 64u && isWhole; round++) {
    let first = 64u + (round & 1u) * groups;
    if (lane == 0u) { say(first + group, wordOf(round, group)); }
    after += groups;
    isWhole = meetAll(lane, after);
    for (var other = lane; other < groups && isWhole; other += 128u) {
      if (atomicLoad(&meeting[first + other]) != wordOf(round, other)) { fail(); }
    }
  }
}
