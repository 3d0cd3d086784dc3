import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { RunList } from '#contract/run-list.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import {
  assay,
  createLab,
  seedState,
  startPlatformProcess,
  waitForValue,
} from '#platform/program/testing/platform-process.ts'

/** Everything except the definition is staged: the agent's script, a fixture folder, a skill and a test file. */
const packaged = `
id: packaged
name: Packaged
agents:
  - {id: scripted, command: [bash, agent.sh]}
files:
  - {dest: agent.sh, source: ./agent.sh}
setup:
  files: [{dest: fixtures, source: ./fixtures}]
  skills: [{name: tidy, source: ./skills/tidy}]
tests:
  - name: the agent used its fixture and its skill
    command: [bash, check.sh]
    files: [{dest: check.sh, source: ./check.sh}]
`

const sources = {
  'agent.sh':
    'cat fixtures/deep/word.txt .skills/tidy/SKILL.md > answer.txt; test ! -e check.sh && echo unseen >> answer.txt',
  'fixtures/deep/word.txt': 'word\n',
  'skills/tidy/SKILL.md': 'be tidy\n',
  'check.sh': 'diff answer.txt <(printf "word\\nbe tidy\\nunseen\\n") >&2',
}

let folder: string
let platform: Awaited<ReturnType<typeof startPlatformProcess>> | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-package-'))
  await seedState(folder)
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(join(folder, 'sources', path, '..'), { recursive: true })
    await writeFile(join(folder, 'sources', path), text)
  }
})
afterEach(async () => {
  await platform?.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const sandbox = await detectSandbox()

test.skipIf(!sandbox.status.available)(
  'a package staged by the CLI and pushed as JSON runs, and so does its fork',
  { timeout: 240_000 },
  async () => {
    const key = createLab(folder, { role: 'member', kind: 'personal' })
    platform = await startPlatformProcess(folder)

    const stage = (source: string, dest: string) =>
      JSON.parse(
        assay(
          folder,
          'files',
          'stage',
          join(folder, 'sources', source),
          '--org',
          'lab',
          '--source',
          source,
          '--dest',
          dest,
        ),
      )
    const version_files = [
      stage('./agent.sh', 'agent.sh'),
      stage('./fixtures', 'fixtures'),
      stage('./skills/tidy', '.skills/tidy'),
      stage('./check.sh', 'check.sh'),
    ]
    const api = async <Answer>(method: string, path: string, body?: unknown): Promise<Answer> => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const response = await fetch(`${platform?.url}/api/v1${path}`, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      expect(response.ok).toBe(true)
      return (await response.json()) as Answer
    }

    await api('POST', '/experiments', { experiment_yaml: packaged, replace_version_files: true, version_files })
    const fork = await api<{ experimentId: string }>('POST', '/experiments/packaged/fork')
    for (const id of ['packaged', fork.experimentId]) {
      await api('POST', `/experiments/${id}/runs`)
      const [run] = await waitForValue(120, async () => {
        const { runs } = await api<RunList>('GET', `/runs?experiment_id=${id}&status=completed,errored`)
        return runs.length > 0 ? runs : null
      })
      expect(run).toMatchObject({ status: 'completed', outcomes: { passed: 1, failed: 0 } })
    }
  },
)
