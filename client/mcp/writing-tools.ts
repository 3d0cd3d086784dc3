import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

import { appendBlock } from '#contract/reports.ts'
import { pushExperiment } from '#contract/experiments.ts'
import { submitRuns } from '#contract/run-submission.ts'
import { cancelRuns } from '#contract/runs.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { CommandError } from '#client/exit-codes.ts'
import { ApiError } from '#src/api/errors.ts'
import { answered, bounded } from './bounded-answer.ts'
import type { WritingTool } from './tool-names.ts'

type Budget = { leftUsd: number }

/** What the person who started the server lets an agent do. */
export type Permissions = { allowed: ReadonlySet<WritingTool>; budget: Budget }

/** Adds those that the person who started the server named. */
export function addWritingTools(server: McpServer, caller: ApiCaller, { allowed, budget }: Permissions) {
  if (allowed.has('cancel_request'))
    server.registerTool(
      'cancel_request',
      {
        description: 'Cancel the runs of a request that have not ended',
        inputSchema: { request: z.uuid() },
        annotations: { readOnlyHint: false, destructiveHint: true },
      },
      ({ request }) => answered(async () => bounded(await caller.call(cancelRuns, { id: request }))),
    )
  if (allowed.has('append_to_report'))
    server.registerTool(
      'append_to_report',
      {
        description: 'Append Markdown to the end of a report',
        inputSchema: { report: z.uuid(), markdown: z.string() },
        annotations: { readOnlyHint: false, destructiveHint: false },
      },
      ({ report, markdown }) =>
        answered(async () => bounded((await caller.call(appendBlock, { reportId: report, markdown })).report)),
    )
  if (allowed.has('push_definition'))
    server.registerTool(
      'push_definition',
      {
        description: 'Store a definition as a version. A definition that names files is pushed with assay push',
        inputSchema: { yaml: z.string() },
        annotations: { readOnlyHint: false, destructiveHint: false },
      },
      ({ yaml }) => answered(async () => bounded(await caller.call(pushExperiment, { experimentYaml: yaml }))),
    )
  if (allowed.has('submit_runs')) addSubmission(server, caller, budget)
}

/** The person who starts the server sets the most that the model calls of all its requests may cost together. */
function addSubmission(server: McpServer, caller: ApiCaller, budget: Budget) {
  server.registerTool(
    'submit_runs',
    {
      description:
        'Submit runs of an experiment. maxCostUsd is taken from the budget, whatever the runs cost in the end',
      inputSchema: {
        experiment: z.string(),
        variants: z.array(z.string()).optional().describe('Ids of variants. Default: all'),
        repeat: z.int().min(1).max(100),
        maxCostUsd: z.number().positive().describe('The most that the model calls of these runs may cost'),
      },
      annotations: { readOnlyHint: false, destructiveHint: false },
    },
    ({ experiment, variants, repeat, maxCostUsd }) =>
      answered(async () => {
        if (maxCostUsd > budget.leftUsd)
          throw new CommandError(`The budget has $${budget.leftUsd.toFixed(2)} left. Ask the person who set it`)
        // Taken before the request is sent, so that two at once cannot take the same money.
        budget.leftUsd -= maxCostUsd
        const submission = { id: experiment, repeat, maxCostUsd, ...(variants && { variantIds: variants }) }
        try {
          const receipt = await caller.call(submitRuns, submission)
          return bounded({ ...receipt, budgetLeftUsd: budget.leftUsd })
        } catch (error) {
          // Without an answer, the runs may have been submitted.
          if (error instanceof ApiError && error.code !== 'unreachable') budget.leftUsd += maxCostUsd
          throw error
        }
      }),
  )
}
