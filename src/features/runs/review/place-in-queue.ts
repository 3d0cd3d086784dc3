import type { Run } from '#contract/runs.ts'

/** Loads the next page when the reader is within this many runs of the last loaded one. */
const runsAhead = 20

/** The place of the asked run among the loaded ones; null if it may be on a later page. Without one it is the first. */
export function placeInQueue(runs: readonly Pick<Run, 'id'>[], asked: string, hasMore: boolean) {
  const found = runs.findIndex(({ id }) => id === asked)
  const place = found < 0 && asked !== '' && hasMore ? null : Math.max(found, 0)
  return { place, needsMore: hasMore && (place === null || place >= runs.length - runsAhead) }
}
