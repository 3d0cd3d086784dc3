import { z } from 'zod'

import { ClaimedOutcome } from './labels.ts'

/**
 * How a finished run ended, as measured. Exactly one is true of every run: `solved`; `failed`, a run that counts as not
 * solved; `timed_out`, one of those that reached its time limit; `infrastructure` and `never_started`, which results
 * leave out; `canceled`; and `untested`, which completed without a test that counts.
 */
export const MeasuredEnding = z.enum([
  'solved',
  'failed',
  'timed_out',
  'infrastructure',
  'never_started',
  'canceled',
  'untested',
])
export type MeasuredEnding = z.infer<typeof MeasuredEnding>

/** The same, with `disputed` for every run whose measured outcome a reviewer disputes. */
export const RunEnding = z.enum(['solved', 'failed', 'timed_out', 'disputed', ...MeasuredEnding.options.slice(3)])
export type RunEnding = MeasuredEnding | 'disputed'

/** What the reviewers of a run claim who dispute its outcome; `unclear` if they claim different outcomes. */
export const ClaimOfReviewers = z.enum([...ClaimedOutcome.options, 'unclear'])
export type ClaimOfReviewers = z.infer<typeof ClaimOfReviewers>
