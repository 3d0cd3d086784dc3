import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

import { appendBlock } from '#contract/reports.ts'
import { cancelRuns } from '#contract/runs.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { answered, bounded } from './bounded-answer.ts'
import type { WritingTool } from './tool-names.ts'

/** Adds those that the person who started the server named. */
export function addWritingTools(server: McpServer, caller: ApiCaller, allowed: ReadonlySet<WritingTool>) {
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
}
