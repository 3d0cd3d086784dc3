import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'

import { listRuns } from '#contract/run-list.ts'
import { getRun } from '#contract/runs.ts'
import { getTest, listTests } from '#contract/tests.ts'
import type { Turn } from '#contract/transcripts.ts'
import type { ApiCaller } from '#client/api/api-caller.ts'
import { paths } from '#src/paths.ts'
import { answered, bounded, endOf } from './bounded-answer.ts'

const annotations = { readOnlyHint: true, openWorldHint: false }
const run = z.string().describe('The id of a run')

const shownRuns = 25
const shownTests = 5
const shownTail = 4000
const shownTurn = 2000
const turnsAround = 8

/** Failing runs, the evidence of a test, and the turns of a transcript. */
export function addRunTools(server: McpServer, caller: ApiCaller) {
  server.registerTool(
    'find_failing_runs',
    {
      description: 'Find runs that did not solve their task, newest first',
      inputSchema: {
        experiment: z.string().describe('The id of an experiment'),
        agent: z.string().optional(),
        model: z.string().optional(),
        prompt: z.string().optional(),
      },
      annotations,
    },
    ({ experiment, agent, model, prompt }) =>
      answered(async () => {
        const axes = {
          ...(agent && { agent: [agent] }),
          ...(model && { model: [model] }),
          ...(prompt && { prompt: [prompt] }),
        }
        const filters = { experimentId: experiment, result: ['unsolved' as const], limit: shownRuns, ...axes }
        const list = await caller.call(listRuns, filters)
        const rows = list.runs.map(({ runId, status, statusReason, outcomes, costUsd, wallSeconds }) => ({
          runId,
          page: pageOf(caller, runId),
          status,
          statusReason,
          outcomes,
          costUsd,
          wallSeconds,
        }))
        return bounded(rows, [list.nextPageToken !== undefined && `Only the newest ${shownRuns} are listed.`])
      }),
  )
  server.registerTool(
    'get_test_evidence',
    {
      description:
        'What a test of a run printed, and the last turns of the agent before it. Without a test: those that failed',
      inputSchema: { run, test: z.string().optional() },
      annotations,
    },
    ({ run: id, test }) =>
      answered(async () => {
        const all =
          test === undefined
            ? (await caller.call(listTests, { id })).tests
            : [await caller.call(getTest, { id, name: test })]
        const asked = all.filter(({ outcome }) => test !== undefined || (outcome !== 'passed' && outcome !== 'skipped'))
        const tests = asked
          .slice(0, shownTests)
          .map(({ testName, outcome, exitCode, command, assertion, stdoutTail, stderrTail }) => ({
            testName,
            outcome,
            exitCode,
            command,
            assertion,
            stdout: endOf(stdoutTail, shownTail),
            stderr: endOf(stderrTail, shownTail),
          }))
        const { run: found, transcript } = await caller.call(getRun, { id, transcript: true, limit: 10_000 })
        const turns = (transcript?.turns ?? []).slice(-turnsAround).map(toTurn)
        const evidence = { runId: id, page: pageOf(caller, id), status: found?.status, prompt: found?.promptText }
        return bounded({ ...evidence, tests, lastTurns: turns }, [
          asked.length > shownTests &&
            `Only ${shownTests} of ${asked.length} failing tests are shown. Name another one.`,
        ])
      }),
  )
  server.registerTool(
    'get_turns',
    {
      description: 'Turns of a run’s transcript around one of them. Without one: the first',
      inputSchema: { run, around: z.int().min(0).default(0).describe('The number of a turn') },
      annotations,
    },
    ({ run: id, around }) =>
      answered(async () => {
        const afterSeq = Math.max(0, around - turnsAround)
        const page = { ...(afterSeq > 0 && { afterSeq }), limit: turnsAround * 2 }
        const { transcript } = await caller.call(getRun, { id, transcript: true, ...page })
        return bounded((transcript?.turns ?? []).map(toTurn))
      }),
  )
}

/** Where the person whom the agent answers can look. */
const pageOf = ({ url }: ApiCaller, runId: string) => url + paths.run(runId)

const toTurn = ({ seq, role, kind, tool, failed, text }: Turn) => ({
  seq,
  role,
  kind,
  tool,
  failed,
  text: endOf(text, shownTurn),
})
