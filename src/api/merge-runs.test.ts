import { expect, test } from 'vitest'

import type { RunList } from '#contract/run-list.ts'
import type { Run } from '#contract/runs.ts'
import { mergeRuns } from './merge-runs.ts'

const run = (minute: number, status = 'queued') =>
  ({ id: `run-${minute}`, runUuid: `${minute}`, createdAt: `2026-01-01T00:0${minute}:00.000000Z`, status }) as Run

const page = (runs: Run[], more: Partial<RunList> = {}) => ({ runs, statusCounts: {}, stamp: 'a', ...more }) as RunList

const changed = (runs: Run[], removedIds: string[] = []) => page(runs, { stamp: 'b', changes: { removedIds } })

test('a changed run gets its new values in place, a new run is inserted in order, and a removed run disappears', () => {
  const merged = mergeRuns(page([run(7), run(5), run(3)]), changed([run(8), run(5, 'running'), run(4)], ['run-3']))
  expect(merged.runs).toEqual([run(8), run(7), run(5, 'running'), run(4)])
  expect([merged.stamp, merged.changes]).toEqual(['b', undefined])
})

test('a page takes no runs from the next page and keeps its token', () => {
  const first = page([run(7), run(5)], { nextPageToken: 'next' })
  const merged = mergeRuns(first, changed([run(6), run(4, 'running'), run(3)]))
  expect(merged.runs).toEqual([run(7), run(6), run(5)])
  expect(merged.nextPageToken).toBe('next')
})

test('a run that leaves the end of a full page and returns joins that page again, without runs of the next page', () => {
  const first = page([run(7), run(5)], { nextPageToken: 'after run-5' })
  const left = mergeRuns(first, changed([], ['run-5']))
  expect(mergeRuns(left, changed([run(5), run(4)])).runs).toEqual([run(7), run(5)])

  const empty = mergeRuns(left, changed([], ['run-7']))
  expect(mergeRuns(empty, changed([run(5), run(4)])).runs).toEqual([run(5)])
})

test('unchanged rows stay the same objects, so they are not rendered again', () => {
  const known = page([run(7)])
  expect(mergeRuns(known, changed([])).runs).toBe(known.runs)
})

test('a response that is not a delta replaces the page', () => {
  const whole = page([run(9)], { nextPageToken: 'x' })
  expect(mergeRuns(page([run(7)]), whole)).toBe(whole)
})
