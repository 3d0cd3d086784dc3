import { z } from 'zod'

import { ChartKind, ResultView } from './charts.ts'
import { endpoint } from './endpoint.ts'

export const executeInsight = endpoint({
  name: 'insights.execute',
  method: 'POST',
  path: '/insights/:ref/execute',
  summary: 'Data of a built-in chart, grouped and filtered as on the Results page',
  body: z.object({
    parameters: z.record(z.string(), z.unknown()).optional(),
    resultView: ResultView.default('summary'),
    groupValue: z.string().optional(),
    testName: z.string().optional(),
    cursor: z.string().optional(),
  }),
  response: z.object({
    chartKind: ChartKind,
    resultView: ResultView,
    chartDataJson: z.string(),
  }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'not_found', 'unavailable'],
})
