import type { z } from 'zod'

import type { chartScopeParams } from '#contract/chart-scope-params.ts'
import type { ChartGroupBy } from '#contract/charts.ts'
import type { Context } from '#platform/ground/context/context.ts'
import type { ChartScope } from './chart-scope.ts'
import { findVaryingAxes } from './find-varying-axes.ts'
import { resolveVersion } from './resolve-version.ts'

type ScopeQuery = z.output<z.ZodObject<typeof chartScopeParams>> & { groupBy?: ChartGroupBy | undefined }

/**
 * The runs that a request selects with the filters of charts in its query. `version` overrides the requested one, for
 * later pages. Errors: `not_found` for the experiment, `invalid_argument` for the version.
 */
export async function resolveScope(
  context: Context,
  experimentId: string,
  query: ScopeQuery,
  version: string | undefined = query.version,
): Promise<ChartScope> {
  const ungrouped = {
    organizationId: context.organization.id,
    experimentId,
    version: await resolveVersion(context, experimentId, version),
    agents: query.agents ?? [],
    agentModes: query.agentModes ?? [],
    models: query.models ?? [],
    products: query.products ?? [],
    environments: query.environments ?? [],
    promptIds: query.promptIds ?? [],
    fullPassOnly: query.fullPassOnly ?? false,
    includeTestAware: query.includeTestAware ?? false,
  }
  return { ...ungrouped, groupBy: query.groupBy ?? (await findVaryingAxes(context, ungrouped)) }
}
