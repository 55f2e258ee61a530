/** Where a text of many steps finds what its dispatch gives it: expressions of WGSL. */
export interface SeriesForm {
  /** What has the parameters of kernels, `P`, `P1`, …: of the first step, and of the present one. */
  readonly firstRecord: string;
  readonly record: string;
  /** Steps since the one that the record is for: its list updates come so many later. */
  readonly since: string;
  /** Whether the present step has the next record, and bits of 128 steps that say before which of them lists are built. */
  readonly hasOwn: string;
  readonly builds: string;
  /** Parameters of builds of lists: in the body, and in functions. */
  readonly build: string;
  readonly buildInFunctions: string;
  /** The head of `meeting` by which its workgroups meet, how many heads there are, and the first row that they share. */
  readonly head: string;
  readonly heads: number;
  readonly firstRow: string;
  /** Whether positions go to the other buffer in the end, where steps have exchanged the two an odd number of times; null where they never do. */
  readonly exchanged: string | null;
}

/** Steps of one simulation. */
export const ofSimulation: SeriesForm = {
  firstRecord: 'series.records[0]',
  record: 'series.records[record]',
  since: 'since',
  hasOwn: 'isMarked(series.own[step >> 7u], step)',
  builds: 'series.builds[step >> 7u]',
  build: 'series.build',
  buildInFunctions: 'series.build',
  head: 'meeting.heads[0]',
  heads: 1,
  firstRow: '0u',
  exchanged: 'series.exchanged == 1u',
};
