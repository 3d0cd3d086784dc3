import { z } from 'zod'

import { Presentation, type Provenance } from '#contract/insight-fields.ts'
import { ResultColumn } from '#contract/queries.ts'

/**
 * The content of a figure, live or pinned: rows with their presentation, and `rowCount`, the total number of rows.
 * `headline` is the single number of the result as text. `answer` is the sentence that the rows support, and `whiskers`
 * says what their intervals mean. `runs` counts the runs of `version` (`all` or a fingerprint), if known.
 */
export const FigureContent = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.json())),
  rowCount: z.int().min(0),
  presentation: Presentation.optional(),
  headline: z.string().optional(),
  answer: z.string().optional(),
  whiskers: z.string().optional(),
  runs: z.int().min(0).optional(),
  version: z.string().optional(),
})
export type FigureContent = z.infer<typeof FigureContent>

/** The current result of an insight. */
export type LiveFigure = {
  title: string
  /** The page of the insight or its chart. */
  href: string
  content: FigureContent
  fingerprint: string
  /** The scope whose runs can change the result. */
  provenance: Provenance
}
