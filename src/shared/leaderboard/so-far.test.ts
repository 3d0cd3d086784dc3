import { expect, test } from 'vitest'

import { leaderboardContent } from '#src/shared/insight-figures/leaderboard-figure.ts'
import { boardOf, steady } from '#statistics/leaderboard/test-boards.ts'
import { toBoard } from '#statistics/leaderboard/leaderboard-rows.ts'
import { answerBySolved } from './solved-answer.ts'

const live = { ...boardOf(steady('Good', 4), steady('bad', 1)), unfinished: { prompts: 60, endedRuns: 1 } }

test('an answer about unfinished runs says which prompts count, which runs do not, and why', () => {
  const { verdict, note } = answerBySolved(toBoard(live, null), false)
  expect(verdict).toMatch(/^So far, on the prompts whose runs have all ended, Good is best: /)
  expect(note).toBe(
    'Runs of 60 prompts are unfinished. A prompt counts once its runs and those of all prompts before it in the queue have ended, so 1 ended run does not count yet.',
  )
})

test('a figure that was pinned while runs were unfinished says so for good', () => {
  expect(leaderboardContent(live, true).answer).toMatch(/^So far, on the prompts whose runs have all ended, /)
})
