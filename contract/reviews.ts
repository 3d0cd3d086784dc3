import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { runFilterAliases, runFilters } from './run-list.ts'

const count = z.int().min(0)
const share = z.number().min(0).max(1).nullable()

const kappa = z.number().min(-1).max(1)

/** A 95 % confidence interval of κ. */
export const KappaInterval = z.object({ low: kappa, high: kappa })

/**
 * How far κ may be from that of all runs of the same prompts, and of other prompts like these; null where it is not known.
 * `statistics/kappa-intervals.ts` has the method.
 */
export const KappaIntervals = z.object({
  thesePrompts: KappaInterval.nullable(),
  promptsLikeThese: KappaInterval.nullable(),
})

/** Cohen's κ with what it is computed from: `statistics/cohens-kappa.ts`. Null where it is not defined. */
export const Kappa = z.object({
  runs: count,
  agreed: count,
  observed: share,
  expected: share,
  kappa: kappa.nullable(),
})
export type Kappa = z.infer<typeof Kappa>

/** How many runs got these tags of the two reviewers. */
export const TagPair = z.object({ first: z.array(z.string()), second: z.array(z.string()), runs: count })
export type TagPair = z.infer<typeof TagPair>

export const TagAgreement = z.object({
  name: z.string(),
  both: count,
  onlyFirst: count,
  onlySecond: count,
  neither: count,
  kappa: Kappa.shape.kappa,
  intervals: KappaIntervals.optional(),
})
export type TagAgreement = z.infer<typeof TagAgreement>

/** Two reviewers over the runs that both tagged. The category of a run is the set of its tags. */
export const Agreement = z.object({
  first: Actor,
  second: Actor,
  sets: Kappa,
  intervals: KappaIntervals.optional(),
  pairs: z.array(TagPair),
  tags: z.array(TagAgreement),
})
export type Agreement = z.infer<typeof Agreement>

/**
 * `ownRunIds`: the runs that the caller has tagged. `ownNotedRunIds`: those with other labels of the caller only, such as
 * a note. `reviewers`: most tagged runs first.
 */
export const ReviewSummary = z.object({
  runs: count,
  ownRunIds: z.array(z.string()),
  ownNotedRunIds: z.array(z.string()),
  reviewers: z.array(z.object({ person: Actor, runs: count })),
  agreement: Agreement.optional(),
})
export type ReviewSummary = z.infer<typeof ReviewSummary>

export const maxReviewedRuns = 10_000

export const getReview = endpoint({
  name: 'labels.review',
  method: 'GET',
  path: '/review',
  summary: 'Get the progress of a review and how well two reviewers agree',
  query: z.object({ ...runFilters, first: z.uuid().optional(), second: z.uuid().optional() }),
  queryAliases: runFilterAliases,
  response: ReviewSummary,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})
