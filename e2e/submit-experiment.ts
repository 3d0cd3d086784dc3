import type { Page } from '@playwright/test'

import { expect } from './fixtures.ts'
import { pushExperiment } from '#contract/experiments.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { callAs } from './call-as.ts'

export type SubmittedRun = { id: string; variantId: string; repeat: number; status: string }

/** Prepares a story: pushes an experiment, submits it, waits for its runs and returns them in order. */
export async function submitExperiment(
  page: Page,
  { id, yaml, repeat = 1 }: { id: string; yaml: string; repeat?: number },
) {
  await callAs(page, pushExperiment, { experimentYaml: yaml })
  const { runRequestId, variantIds } = await callAs(page, submitRuns, { id, repeat })
  const list = async (): Promise<SubmittedRun[]> =>
    (await (await page.request.get(`/api/v1/runs?run_request_id=${runRequestId}&limit=1000`)).json()).runs
  const isDone = ({ status }: SubmittedRun) => status === 'completed' || status === 'errored'
  await expect.poll(async () => (await list()).every(isDone), { timeout: 240_000 }).toBe(true)
  const place = (run: SubmittedRun) => variantIds.indexOf(run.variantId) * 1000 + run.repeat
  return { requestId: String(runRequestId), runs: (await list()).toSorted((a, b) => place(a) - place(b)) }
}
