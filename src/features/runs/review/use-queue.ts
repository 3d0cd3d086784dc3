import { useEffect } from 'react'

import type { ReviewSummary } from '#contract/reviews.ts'
import type { Run } from '#contract/runs.ts'
import { useQueryState } from '#src/url/use-query-state.ts'
import { placeInQueue } from './place-in-queue.ts'
import { freshRun } from './review-query.ts'

const pagesPerSkip = 4

export type QueueList = {
  /** The runs that are loaded. */
  runs: readonly Run[]
  total: number
  hasMore: boolean
  isLoading: boolean
  /** Loads the next page. Returns all loaded runs. */
  loadMore: () => Promise<{ runs: readonly Run[]; hasMore: boolean }>
}

/** The place of the open run among the runs to review, and the ways to the others. */
export function useQueue({ runs, total, hasMore, isLoading, loadMore }: QueueList, review: ReviewSummary | undefined) {
  const url = useQueryState()
  const tagged = new Set(review?.ownRunIds)
  const noted = new Set(review?.ownNotedRunIds)
  const { place, isMissing, needsMore } = placeInQueue(runs, url.one('run'), hasMore)
  // The reader's place decides how much of the list is needed, whichever way they came there.
  useEffect(() => {
    if (needsMore && !isLoading) void loadMore()
  }, [needsMore, isLoading, loadMore])
  const run = place === null ? undefined : runs[place]
  const at = place ?? 0
  const show = (other: Run | undefined) => {
    if (!other) return false
    url.set(freshRun(other.id))
    return true
  }
  const isOpen = ({ id }: Run) => !tagged.has(id) && !noted.has(id)
  const showNextOpen = async () => {
    let loaded = { runs, hasMore }
    let found = runs.slice(at + 1).find(isOpen)
    // Where most runs are reviewed, the next press looks further.
    for (let page = 0; !found && loaded.hasMore && page < pagesPerSkip; page += 1) {
      loaded = await loadMore()
      found = loaded.runs.slice(at + 1).find(isOpen)
    }
    show(found ?? loaded.runs.slice(0, at).find(isOpen))
  }
  return {
    /** Undefined while the page that has it loads. */
    run,
    /** The link names a run that is not in the list, so the first is shown. */
    isMissing,
    number: at + 1,
    total: Math.max(total, runs.length),
    reviewedCount: Math.min(total, tagged.size + noted.size),
    notedCount: noted.size,
    isNoted: run !== undefined && noted.has(run.id),
    next: () => show(runs[at + 1]),
    previous: () => show(runs[at - 1]),
    /** To the next run without a label of the reader, from the start again after the last. */
    skip: () => void showNextOpen(),
  }
}

export type ReviewQueue = ReturnType<typeof useQueue>
