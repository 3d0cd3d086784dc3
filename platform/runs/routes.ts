import * as submission from '#contract/run-submission.ts'
import * as contract from '#contract/runs.ts'
import { serve } from '#platform/http/serve.ts'
import { cancelRuns } from './cancel-runs.ts'
import { estimateRuns } from './estimate-runs.ts'
import { getRun } from './get-run.ts'
import { listRuns } from './list-runs.ts'
import { submitRuns } from './submit-runs.ts'

export const runRoutes = [
  serve(submission.submitRuns, submitRuns),
  serve(submission.estimateRuns, estimateRuns),
  serve(contract.listRuns, listRuns),
  serve(contract.getRun, getRun),
  serve(contract.cancelRuns, cancelRuns),
]
