import { z } from 'zod'

import { listParam } from '#contract/wire/list-param.ts'
import { booleanParam } from '#contract/wire/query-values.ts'

/** The filters of a chart as query parameters. */
export const chartScopeParams = {
  version: z.string().optional(),
  agents: listParam(),
  agentModes: listParam(),
  models: listParam(),
  products: listParam(),
  environments: listParam(),
  promptIds: listParam(),
  fullPassOnly: booleanParam(),
  includeTestAware: booleanParam(),
}
