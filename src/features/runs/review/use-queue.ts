import type { Run } from '#contract/runs.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { freshRun } from './review-query.ts'

/** The place of the open run among the runs to review, and the ways to the others. */
export function useQueue(runs: readonly Run[], reviewedIds: readonly string[] | undefined) {
  const url = useQueryState()
  const reviewed = new Set(reviewedIds)
  const asked = runs.findIndex(({ id }) => id === url.one('run'))
  const place = Math.max(asked, 0)
  const show = (run: Run | undefined) => {
    if (!run) return false
    url.set(freshRun(run.id))
    return true
  }
  const isOpen = ({ id }: Run) => !reviewed.has(id)
  return {
    run: runs[place] as Run,
    number: place + 1,
    total: runs.length,
    reviewedCount: runs.filter(({ id }) => reviewed.has(id)).length,
    next: () => show(runs[place + 1]),
    previous: () => show(runs[place - 1]),
    /** To the next run without a tag of the reader, from the start again after the last. */
    skip: () => show(runs.slice(place + 1).find(isOpen) ?? runs.slice(0, place).find(isOpen)),
  }
}

export type ReviewQueue = ReturnType<typeof useQueue>
