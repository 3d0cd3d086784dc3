import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

import { expect, test } from 'vitest'

import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'
import { startClient } from '#client/testing/start-client.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import type { Scene } from '#platform/program/testing/stub-model/script.ts'
import { startStubModel } from '#platform/program/testing/stub-model/start-stub-model.ts'

/* Opt-in: ASSAY_REAL_AGENTS names an npm prefix with Claude Code (docs/agent-presets.md). A real client, no real model. */

const prefix = process.env['ASSAY_REAL_AGENTS']
const claude = prefix === undefined ? null : join(resolve(prefix), 'node_modules/.bin/claude')
const reason = claude === null ? 'ASSAY_REAL_AGENTS is not set' : existsSync(claude) ? null : 'Claude Code is not there'

const prompt = 'Which agent is best on bench, is that real, and show me one failure.'

/** Asks as a model would, and keeps what the tools answered. */
function scene(answers: string[]): Scene {
  const bench = () => ({ experiment: 'bench' })
  const newestRun = (results: readonly string[]) => {
    const [, run = ''] = /"runId": "([^"]+)/.exec(results.at(-1)?.replaceAll('\\"', '"') ?? '') ?? []
    return { run }
  }
  const sql = (results: readonly string[]) => {
    answers.push(...results)
    return { sql: 'SELECT count() AS n FROM runs' }
  }
  return {
    prompt,
    steps: [
      { acts: [{ tool: 'list_experiments', input: () => ({}) }] },
      { acts: [{ tool: 'get_leaderboard', input: bench }] },
      { acts: [{ tool: 'find_failing_runs', input: bench }] },
      { acts: [{ tool: 'get_test_evidence', input: newestRun }] },
      { acts: [{ tool: 'query_sql', input: sql }] },
      { text: 'careful is best, which is more than chance. One run of hasty failed "it works": expected 9 but got 8.' },
    ],
  }
}

test.skipIf(reason)(
  `Claude Code asks over MCP which agent is best, whether that is real, and for one failure ${reason ? `(skipped: ${reason})` : ''}`,
  async () => {
    const client = await startClient()
    const answers: string[] = []
    const stub = await startStubModel({ scenes: [scene(answers)] })
    try {
      await client.platform.request('POST', '/experiments', { yaml: twoByTwo('bench') })
      await client.platform.request('POST', '/experiments/bench/runs', { body: { repeat: 10, mock: true } })
      await endQueuedRuns(client.platform, (run) => run.agent === 'careful')
      const servers = {
        assay: {
          command: process.execPath,
          args: [resolve('client/bin.ts'), 'mcp'],
          env: { ASSAY_URL: client.url, ASSAY_API_KEY: client.platform.admin },
        },
      }
      await writeFile(join(client.folder, 'mcp.json'), JSON.stringify({ mcpServers: servers }))
      const words = ['-p', prompt, '--model', 'claude-sonnet-4-5', '--output-format', 'stream-json', '--verbose']
      const { stdout } = await promisify(execFile)(
        claude ?? '',
        [
          ...words,
          '--mcp-config',
          join(client.folder, 'mcp.json'),
          '--strict-mcp-config',
          '--allowedTools',
          'mcp__assay',
        ],
        {
          cwd: client.folder,
          env: {
            PATH: process.env['PATH'],
            HOME: client.folder,
            ANTHROPIC_BASE_URL: stub.url,
            ANTHROPIC_API_KEY: 'stub-key',
            ENABLE_TOOL_SEARCH: 'false',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
          },
        },
      )
      const calls = [...stdout.matchAll(/"type":"tool_use","id":"[^"]+","name":"mcp__assay__(\w+)"/g)].map(
        ([, name]) => name,
      )
      expect(calls).toEqual([
        'list_experiments',
        'get_leaderboard',
        'find_failing_runs',
        'get_test_evidence',
        'query_sql',
      ])
      const [experiments, leaderboard, failing, evidence] = answers.map((each) => each.replaceAll('\\"', '"'))
      expect(experiments).toContain('"id": "bench"')
      expect(leaderboard).toContain('careful is best: it solves 100 % of its runs.')
      expect(leaderboard).toMatch(/More than chance\?.*Yes/s)
      expect(failing).toContain('"runId": "hasty~')
      expect(evidence).toContain('expected 9 but got')
      expect(stdout).toContain('"subtype":"success"')
    } finally {
      await stub.close()
      await client.close()
    }
  },
  120_000,
)
