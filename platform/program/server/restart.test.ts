import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { Run, StatusChange } from '#contract/runs.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { atLength } from '#tools/test-length.ts'
import {
  assay,
  createLab,
  seedState,
  startPlatformProcess,
  waitForValue,
} from '#platform/program/testing/platform-process.ts'

/** Commands of these runs carry this marker, so that leftovers can be found among all processes of the machine. */
const marker = `assay-restart-${process.pid}`

const slowExperiment = `
id: slow
name: Slow
agents:
  - {id: sleeper, command: [bash, -c, "echo started; sleep 1.5 # ${marker}"]}
prompts:
  - {id: one, text: One}
tests:
  - {name: passes, command: ["true"]}
  - {name: fails, command: ["false"]}
`

let folder: string
let platform: Awaited<ReturnType<typeof startPlatformProcess>> | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-restart-'))
  await seedState(folder)
})
afterEach(async () => {
  await platform?.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const leftovers = () =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.includes(marker))

const sandbox = await detectSandbox()

const count = atLength(12, 20)

test.skipIf(!sandbox.status.available)(
  'after kill -9 during many runs and a restart, each run ends once, nothing is duplicated and no process is left',
  async () => {
    const key = createLab(folder, { role: 'admin', kind: 'personal' })
    const api = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/yaml', ...init.headers }
      const response = await fetch(`${platform?.url}/api/v1${path}`, { ...init, headers })
      return (await response.json()) as Answer
    }
    const json = { 'content-type': 'application/json' }

    platform = await startPlatformProcess(folder, { WORKER_SLOTS: '4' })
    await api('/experiments', { method: 'POST', body: slowExperiment })
    await api('/experiments/slow/runs', { method: 'POST', headers: json, body: JSON.stringify({ repeat: count }) })
    const list = () => api<{ runs: Run[]; statusCounts: Record<string, number> }>('/runs?limit=100')
    await waitForValue(120, async () => {
      const { statusCounts } = await list()
      return statusCounts['completed'] && statusCounts['running'] ? true : null
    })

    await platform.stop('SIGKILL')
    await waitForValue(120, async () => (leftovers().length === 0 ? true : null))
    platform = await startPlatformProcess(folder, { WORKER_SLOTS: '4' })

    const { runs, statusCounts } = await waitForValue(60, async () => {
      const page = await list()
      return page.statusCounts['completed'] === count ? page : null
    })
    expect(statusCounts).toEqual({
      queued: 0,
      waiting_for_ci: 0,
      running: 0,
      completed: count,
      errored: 0,
      canceled: 0,
    })
    expect(runs).toHaveLength(count)
    for (const run of runs)
      expect(run.outcomes).toEqual({ passed: 1, failed: 1, unresolved: 0, errored: 0, skipped: 0 })

    const details = await Promise.all(
      runs.map(({ id }) => api<{ run: { statusHistory: StatusChange[] } }>(`/runs/${encodeURIComponent(id)}`)),
    )
    const endings = details.map(({ run }) => run.statusHistory.filter(({ status }) => status === 'completed').length)
    expect(endings).toEqual(runs.map(() => 1))
    expect(details.some(({ run }) => run.statusHistory.some(({ attempt }) => attempt === 2))).toBe(true)

    const cells = await waitForValue(120, async () => {
      const body = JSON.stringify({ parameters: { group_by: 'agent' } })
      const chart = await api<{ chartDataJson: string }>(
        `/insights/${encodeURIComponent('chart:slow:tests')}/execute`,
        {
          method: 'POST',
          headers: json,
          body,
        },
      )
      const summary = JSON.parse(chart.chartDataJson) as { groups: { runs: number }[]; cells: Record<string, number>[] }
      return summary.groups[0]?.runs === count ? summary.cells : null
    })
    expect(cells.map(({ passed, failed }) => [passed, failed]).sort()).toEqual([
      [0, count],
      [count, 0],
    ])
    expect(leftovers()).toEqual([])
  },
)

test('a second process on the same data folder is refused with a clear message, and the first continues', async () => {
  platform = await startPlatformProcess(folder)
  const second = await startPlatformProcess(folder)
  expect(second.url).toBeNull()
  expect(second.complaints()).toContain('Another process uses the data folder')
  expect((await fetch(`${platform.url}/healthz`)).status).toBe(200)
})

test('the CLI prints the same while the service runs and while it is stopped', async () => {
  assay(folder, 'org', 'create', '--slug', 'lab')
  platform = await startPlatformProcess(folder)
  const key = assay(
    folder,
    'key',
    'create',
    '--org',
    'lab',
    '--email',
    'a@lab.example',
    '--role',
    'member',
    '--kind',
    'organization',
  )
  expect(key).toMatch(/^assay_\S+$/)
  const response = await fetch(`${platform.url}/api/v1/whoami`, { headers: { authorization: `Bearer ${key}` } })
  expect(await response.json()).toMatchObject({
    keyKind: 'organization',
    organizations: [{ slug: 'lab', role: 'member' }],
  })
  expect(() => assay(folder, 'org', 'create', '--slug', 'lab')).toThrow('already exists')
})
