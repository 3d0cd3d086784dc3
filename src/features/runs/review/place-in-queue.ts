import type { Run } from '#contract/runs.ts'

/** Loads the next page when the reader is within this many runs of the last loaded one. */
const runsAhead = 20

/** Among so many runs the asked one is looked for. It may be in no page: a link can be old. */
const runsToSearch = 2000

/**
 * The place of the asked run among the loaded ones; null if it may be on a later page. Without one, and if it
 * `isMissing`, it is the first.
 */
export function placeInQueue(runs: readonly Pick<Run, 'id'>[], asked: string, hasMore: boolean) {
  const found = runs.findIndex(({ id }) => id === asked)
  const isUnknown = found < 0 && asked !== ''
  const place = isUnknown && hasMore && runs.length < runsToSearch ? null : Math.max(found, 0)
  return {
    place,
    isMissing: isUnknown && place !== null,
    needsMore: hasMore && (place === null || place >= runs.length - runsAhead),
  }
}
