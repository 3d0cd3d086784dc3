import { z } from 'zod'

/** A run has at most so many scores. */
export const maxScores = 100
export const maxScoreNameCharacters = 200

/**
 * A named number that a test gave a run, such as a reward. `value` is null if it is unknown. The score passes from
 * `threshold` on.
 */
export const RunScore = z.object({
  name: z.string(),
  value: z.number().nullable(),
  threshold: z.number(),
})
export type RunScore = z.infer<typeof RunScore>

export const ScoreName = z.string().min(1).max(maxScoreNameCharacters)

/** A score as a measure of a chart or as the order of a list: `score:correctness`. */
export const ScoreMeasure = z.templateLiteral(['score:', ScoreName])
export type ScoreMeasure = z.infer<typeof ScoreMeasure>
