import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { startClient } from '#client/testing/start-client.ts'
import { projectRuns } from '#platform/analysis/projection/project-runs.ts'
import { performImports } from '#platform/program/testing/imports.ts'

const client = await startClient()
afterAll(() => client.close())

const write = async (path: string, content: string) => {
  const place = join(client.folder, path)
  await mkdir(dirname(place), { recursive: true })
  await writeFile(place, content)
}
/** What the server does in the background. */
const work = async () => {
  const { services, organization } = client.platform
  await performImports(services)
  await projectRuns(services, organization.id)
}
const assay = (words: readonly string[], onWait: () => Promise<void> = work) => client.assay(words, { onWait })

const trial = (name: string, task: string, reward: number) =>
  JSON.stringify({
    id: name,
    trial_name: name,
    task_name: task,
    config: { job_id: 'job' },
    agent_info: { name: name.startsWith('a') ? 'careful' : 'hasty', model_info: { name: 'small' } },
    agent_result: { n_input_tokens: 10, n_output_tokens: 2, cost_usd: 0.5 },
    verifier_result: { rewards: { reward } },
    finished_at: '2026-01-01T00:01:00Z',
  })

test('results are imported from a terminal, again without doubling, and exported and imported again to the same comparison', async () => {
  for (let task = 0; task < 12; task += 1) {
    await write(`jobs/one/a${task}/result.json`, trial(`a${task}`, `task-${task}`, 1))
    await write(`jobs/one/b${task}/result.json`, trial(`b${task}`, `task-${task}`, task % 4 === 0 ? 1 : 0))
  }
  await write('jobs/notes.txt', 'Hello')
  const first = await assay(['import', 'jobs'])
  expect([first.code, first.error]).toEqual([0, 'Found 24 runs of Harbor\n'])
  expect(first.out).toContain('Imported 24 runs into jobs\n')
  expect(first.out).toContain('Left out 1 file:\nSkipped jobs/notes.txt: no known format of results')
  expect((await assay(['import', 'jobs'])).out).toContain('Imported 24 runs into jobs-2')
  expect((await assay(['import', 'jobs', '--experiment', 'jobs'])).out).toContain(
    'Imported 0 runs into jobs; 24 runs had been',
  )
  expect(
    (await assay(['export', '--format', 'archive', '--experiment', 'jobs', '--output', 'jobs.tar.gz'])).out,
  ).toContain('Wrote 24 runs to jobs.tar.gz')
  const back = await assay(['import', 'jobs.tar.gz', '--experiment', 'again'])
  expect(back.out).toContain('Imported 24 runs into again')
  const compare = async (id: string) =>
    (await assay(['compare', id, 'careful', 'hasty', '--json'])).out.replace(/[0-9a-f]{64}/, '')
  const verdict = await compare('jobs')
  expect(JSON.parse(verdict)).toMatchObject({ difference: 0.75 })
  expect((await compare('again')).replaceAll('again', 'jobs')).toBe(verdict)
})

test('what cannot be imported says why', async () => {
  expect((await assay(['import', 'nowhere'])).error).toBe('nowhere does not exist\n')
  await write('empty/notes.txt', 'Hello')
  expect((await assay(['import', 'empty'])).error).toContain(
    'No results and no tasks were found. Skipped empty/notes.txt',
  )
  expect((await assay(['import', 'empty', '--experiment', 'my_bench'])).error).toBe(
    '--experiment my_bench must be kebab-case: lower-case letters, digits and single hyphens\n',
  )
  await write('t.csv', 'bot,q\na,1\n')
  expect((await assay(['import', 't.csv', '--column', 'size=q'])).error).toContain('--column size=q is not a field')
  expect((await assay(['export', '--format', 'archive', '--output', 'x'])).error).toContain('needs --experiment')
})

test('a job that is being written is followed: each trial comes in when it has ended, and starting again doubles nothing', async () => {
  const job = 'running/job'
  await write(`${job}/result.json`, JSON.stringify({ n_total_trials: 3, stats: {}, finished_at: null }))
  await write(`${job}/config.json`, '{}')
  let looks = 0
  const counts: number[] = []
  const follow = (stopAfter = Infinity) =>
    assay(['import', '--follow', job], async () => {
      await work()
      looks += 1
      if (looks === stopAfter) throw new Error('killed')
      if (looks === 3) await write(`${job}/a1/result.json`, trial('a1', 'count', 1))
      if (looks === 6) await write(`${job}/b1/result.json`, trial('b1', 'count', 0).slice(0, 100))
      if (looks === 30) await write(`${job}/b1/result.json`, trial('b1', 'count', 0))
      if (looks === 60) {
        await cp(join(client.folder, job, 'a1'), join(client.folder, job, 'a2'), { recursive: true })
        await write(`${job}/a2/result.json`, trial('a2', 'sort', 1))
        await write(
          `${job}/result.json`,
          JSON.stringify({ n_total_trials: 3, stats: {}, finished_at: '2026-01-01T00:01:00Z' }),
        )
      }
      const { json } = await client.platform.request('GET', '/runs?experiment_id=job')
      counts.push(json.runs.length)
    })
  const { code, out } = await follow()
  expect([code, out]).toEqual([0, 'The job has ended. Imported 3 runs of 3 trials into job\n'])
  expect([...new Set(counts)]).toEqual([0, 1, 2, 3])
  const again = await follow()
  expect(again.out).toBe('The job has ended. Imported 0 runs of 3 trials into job\n')
  const board = await assay(['results', 'job', '--json'])
  expect(board.out).toContain('careful')
})
