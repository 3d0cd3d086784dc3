import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { startClient, type TestClient } from '#client/testing/start-client.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'

let client: TestClient
let request = ''
beforeAll(async () => {
  client = await startClient()
  await writeFile(join(client.folder, 'experiment.yaml'), twoByTwo())
  await client.assay(['push'])
  request = JSON.parse((await client.assay(['submit', '--mock', '--json'])).out).runRequestId
})
afterAll(() => client.close())

const runsOf = async (status: string): Promise<{ runId: string }[]> =>
  JSON.parse((await client.assay(['runs', '--request', request, '--status', status, '--json'])).out).runs

test('a status or a result that does not exist is refused, because it would list other runs', async () => {
  for (const words of [
    ['runs', '--status', 'solved'],
    ['runs', '--result', 'queued'],
    ['export', '--output', 'x.csv', '--status', 'done'],
  ]) {
    const { code, out, error } = await client.assay(words)
    expect([code, out, error]).toEqual([3, '', expect.stringContaining('Allowed choices are')])
  }
})

test('a run without turns says so, and a request is no run', async () => {
  const [run] = await runsOf('queued')
  expect(await client.assay(['logs', run?.runId ?? ''])).toMatchObject({
    code: 0,
    out: '',
    error: `${run?.runId} has no turns yet\n`,
  })
  expect(await client.assay(['logs', request])).toMatchObject({
    code: 3,
    error: `${request} is a request. Give the id of one of its runs, as in: assay runs --request ${request}\n`,
  })
})

test('cancel ends one run or all that are left, asks only about those, and says when there are none', async () => {
  const [first] = await runsOf('queued')
  const one = await client.assay(['cancel', first?.runId ?? ''], { answers: ['y'] })
  expect(one).toMatchObject({ code: 0, out: 'Canceled 1 run\n', asked: ['Cancel this run? [y/N] '] })
  expect(await runsOf('queued')).toHaveLength(3)
  const refused = await client.assay(['cancel', request], { answers: ['n'] })
  expect(refused).toMatchObject({ code: 130, asked: ['Cancel the 3 runs that have not ended? [y/N] '] })
  expect((await client.assay(['cancel', request, '--yes'])).out).toBe('Canceled 3 runs\n')
  const none = await client.assay(['cancel', request], { answers: [] })
  expect(none).toMatchObject({ code: 0, out: 'All runs have ended already\n', asked: [] })
  expect((await client.assay(['cancel', first?.runId ?? ''])).out).toBe('The run has ended already\n')
})

test('a run that was canceled says why, without facts and outputs that it does not have', async () => {
  const [run] = await runsOf('canceled')
  const { out } = await client.assay(['show', run?.runId ?? ''])
  expect(out).toContain('\ncanceled: Canceled before it started\n')
  expect(out).not.toMatch(/Time|tool call|no output/)
})

test('a watched request says how to read its results', async () => {
  const { out } = await client.assay(['submit', '--mock', '--watch'], {
    onWait: () => endQueuedRuns(client.platform, () => true),
  })
  expect(out).toContain('\nSee the leaderboard with: assay results two-by-two\n')
})

test('report append adds a file or standard input to the end of a report, which its address names too', async () => {
  const { json } = await client.platform.request('POST', '/reports', {
    body: { title: 'Findings', bodyMarkdown: 'First.' },
  })
  const { id } = json.report
  const fromInput = await client.assay(['report', 'append', id], { input: 'Second.\n' })
  expect(fromInput).toMatchObject({ code: 0, out: `Appended to Findings:\n${client.url}/reports/${id}\n` })
  await writeFile(join(client.folder, 'third.md'), '## Third')
  const address = `https://assay.example/reports/${id}?tab=1`
  const fromFile = await client.assay(['report', 'append', address, 'third.md', '--json'])
  expect([fromFile.code, JSON.parse(fromFile.out).title]).toEqual([0, 'Findings'])
  const read = await client.platform.request('GET', `/reports/${id}`)
  expect(read.json.bodyMarkdown).toBe('First.\n\nSecond.\n\n## Third\n')
  for (const words of [[id, 'none.md'], ['nothing'], [id]])
    expect((await client.assay(['report', 'append', ...words], { input: ' ' })).code).toBe(3)
})

test('login opens no page of a server that does not answer, and reaches this machine without HTTPS', async () => {
  const env = { ASSAY_URL: '', ASSAY_API_KEY: '' }
  const away = await client.assay(['login', '127.0.0.1:9'], { env, isTerminal: true })
  expect(away).toMatchObject({
    code: 3,
    opened: [],
    error: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 could not/),
  })
  const host = new URL(client.url).host
  const there = await client.assay(['login', host, '--with-key'], { env, input: client.platform.admin })
  expect(there.out).toContain(`Logged in to http://${host} as`)
  const secure = await client.assay(['whoami'], { env: { ASSAY_URL: `https://${host}` } })
  expect(secure.error).toContain('it does not speak HTTPS. If it has no certificate, use http://')
})
