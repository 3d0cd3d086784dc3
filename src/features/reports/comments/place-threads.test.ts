import { expect, test } from 'vitest'

import type { ReportThread } from '#contract/report-comments.ts'
import { placeThreads } from './place-threads.ts'

const threadOn = (quote: string, position: number): ReportThread => ({
  id: `on ${quote}`,
  quote,
  position,
  createdAt: '2026-11-23T00:00:00Z',
  comments: [],
})

test('threads are in the order of the text, and those whose paragraph is gone come last', () => {
  const stored = 'One.\n\nTwo.\n'
  const threads = [threadOn('Gone.', 0), threadOn('Two.', 6), threadOn('One.', 0)]
  const placed = placeThreads(threads, { stored, shown: stored })
  expect(placed.map(({ thread, place }) => [thread.quote, place?.from])).toEqual([
    ['One.', 0],
    ['Two.', 6],
    ['Gone.', undefined],
  ])
})

test('a thread is beside its paragraph while that is being typed', () => {
  const [stored, shown] = ['Intro.\n\nThe careful agent wins.\n', 'New.\n\nIntro.\n\nThe careful agent wins by far.']
  const [placed] = placeThreads([threadOn('The careful agent wins.', 8)], { stored, shown })
  expect(placed?.place?.text).toBe('The careful agent wins by far.')
})
