import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { ChartBlock } from '#contract/report-blocks/chart-blocks.ts'
import { limits } from '#contract/wire/limit.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The data of a figure, kept as it was when someone pinned it. */
export const ReportFigure = z.object({
  id: z.uuid(),
  page: ChartBlock.shape.page,
  pinnedAt: Timestamp,
  pinnedBy: Actor.pick({ id: true, name: true }),
  /** The size as stored. */
  sizeBytes: z.int().min(1),
})
export type ReportFigure = z.infer<typeof ReportFigure>

export const addFigure = endpoint({
  name: 'reportFigures.add',
  method: 'POST',
  path: '/report-figures',
  summary: 'Store the data of a pinned figure of a report',
  body: z.object({
    page: ChartBlock.shape.page,
    /** As text, so that nobody has to walk through deep JSON to store it. */
    resultsJson: z.string().min(1).max(limits.figureBytes),
  }),
  // JSON within JSON: each quote is escaped.
  bodyBytes: 2 * limits.figureBytes + 100_000,
  response: z.object({ figure: ReportFigure }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'resource_exhausted'],
})

export const getFigure = endpoint({
  name: 'reportFigures.get',
  method: 'GET',
  path: '/report-figures/:figureId',
  summary: 'Get the data of a pinned figure',
  response: z.object({ figure: ReportFigure, resultsJson: z.string() }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found'],
})
