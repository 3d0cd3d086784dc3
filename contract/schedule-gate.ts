import { z } from 'zod'

import { Timestamp } from '#contract/wire/query-values.ts'

/** The gate fails if the solved rate is lower, and chance alone explains it with at most this probability (two-sided). */
export const ScheduleGate = z.object({ significanceLevel: z.union([z.literal(0.05), z.literal(0.01)]) })
export type ScheduleGate = z.infer<typeof ScheduleGate>

/**
 * - `passed`: no drop beyond chance was found, or the same runs again did not confirm it;
 * - `failed`: the solved rate dropped by more than chance explains, and did so again when the same runs ran again;
 * - `undecided`: there is nothing to compare with, or too little, or a suspected drop is not confirmed yet.
 */
export const GateVerdict = z.enum(['passed', 'failed', 'undecided'])
export type GateVerdict = z.infer<typeof GateVerdict>

/**
 * Why a gate is undecided. `suspected`: a drop was found, and the same runs are being run again. `not_run_again`: a drop
 * was found, and `confirmation` says why the second result is missing or inconclusive.
 */
export const GateReason = z.enum([
  'suspected',
  'not_run_again',
  'no_baseline',
  'no_counted_runs',
  'budget_reached',
  'canceled',
  'baseline_removed',
  'unmatched',
  'too_few',
])
export type GateReason = z.infer<typeof GateReason>

/** What the second result of a suspected drop says, on the same variants against the same baseline. */
const GateConfirmation = z.object({
  startId: z.uuid().optional(),
  runRequestId: z.uuid().optional(),
  difference: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  pValue: z.number().optional(),
  /** Why there is none. */
  missingBecause: z.string().optional(),
})
export type GateConfirmation = z.infer<typeof GateConfirmation>

/** The solved rate falls slowly over `starts` starts, the first of which was at `since`. `perStart` is a share. */
const GateDecline = z.object({ since: Timestamp, starts: z.int(), perStart: z.number(), pValue: z.number() })

/**
 * The solved rate of a start compared with that of earlier ones, the baseline, on the variants that both have. Rates
 * and differences are shares: 0.1 is ten points. `interval` is the 95 % confidence interval.
 */
export const GateResult = z.object({
  verdict: GateVerdict,
  reason: GateReason.optional(),
  /** The newest start of the baseline. `starts` is the number of starts whose runs are pooled; absent in older results. */
  baseline: z
    .object({ startId: z.uuid(), startedAt: Timestamp, runRequestId: z.uuid().optional(), starts: z.int().optional() })
    .optional(),
  difference: z.number().optional(),
  interval: z.object({ low: z.number(), high: z.number() }).optional(),
  pValue: z.number().optional(),
  significanceLevel: z.number(),
  /** Present once a suspected drop has been run again, or could not be. */
  confirmation: GateConfirmation.optional(),
  decline: GateDecline.optional(),
  /** A person has accepted the drop or the decline: later starts are compared with this one and those after it. */
  isAccepted: z.boolean(),
})
export type GateResult = z.infer<typeof GateResult>
