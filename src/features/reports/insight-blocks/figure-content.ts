import { z } from 'zod'

import { Presentation, type Provenance } from '#contract/insight-fields.ts'
import { ResultColumn } from '#contract/queries.ts'

/**
 * What a figure shows, live or pinned: rows with the way to draw them, `rowCount` of the whole. `headline` is the one
 * number it comes to, in words; `runs` is how many it counts, of which `version` (`all`, or a fingerprint), where known.
 */
export const FigureContent = z.object({
  columns: z.array(ResultColumn),
  rows: z.array(z.array(z.json())),
  rowCount: z.int().min(0),
  presentation: Presentation.optional(),
  headline: z.string().optional(),
  runs: z.int().min(0).optional(),
  version: z.string().optional(),
})
export type FigureContent = z.infer<typeof FigureContent>

/** What an insight answers now. */
export type LiveFigure = {
  title: string
  /** Its own page, or the chart's. */
  href: string
  content: FigureContent
  fingerprint: string
  /** Whose runs may have moved it. */
  provenance: Provenance
}
