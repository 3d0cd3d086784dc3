import type { Endpoint } from './endpoint.ts'
import { getExperiment, getYaml, listExperiments, listVersions, pushExperiment } from './experiments.ts'
import { whoami } from './identity.ts'
import { executeInsight } from './insights.ts'
import { cancelRuns, getRun, getTest, listRuns, listTests, submitRuns } from './runs.ts'

/** Every route of the API: what the platform must serve, the BFF may let through and OpenAPI describes. */
export const allEndpoints: readonly Endpoint[] = [
  whoami,
  listExperiments,
  pushExperiment,
  getExperiment,
  listVersions,
  getYaml,
  submitRuns,
  listRuns,
  getRun,
  cancelRuns,
  listTests,
  getTest,
  executeInsight,
]
