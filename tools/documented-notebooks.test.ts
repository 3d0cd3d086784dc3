import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { pythonModule } from '#client/notebooks/python-module.ts'
import { endQueuedRuns } from '#client/testing/end-queued-runs.ts'
import { startClient, type TestClient } from '#client/testing/start-client.ts'
import { startTestBff } from './start-test-bff.ts'

const run = promisify(execFile)

let client: TestClient
let bff: Awaited<ReturnType<typeof startTestBff>>
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  client = await startClient()
  await client.assay(['init', 'example.yaml'])
  await client.assay(['push', 'example.yaml'])
  await client.assay(['submit', 'word-count', '--repeat', '4', '--yes'])
  let ended = 0
  await endQueuedRuns(client.platform, ({ agent }) => agent === 'careful' || ended++ % 2 === 0)
  // A run without a result counts nowhere.
  await client.assay(['submit', 'word-count', '--agent', 'careful', '--yes'])
  const [left] = JSON.parse((await client.assay(['runs', '--limit', '1', '--json'])).out).runs
  await client.assay(['cancel', left.runRequestId])
  await endQueuedRuns(client.platform, () => true)
  const served = join(client.folder, 'served')
  await mkdir(served)
  await writeFile(join(served, 'assay.py'), pythonModule())
  bff = await startTestBff(served, client.url)
  const { port } = bff.server.address() as { port: number }
  const ASSAY_URL = `http://127.0.0.1:${port}`
  env = { PATH: process.env['PATH'], ASSAY_URL, ASSAY_API_KEY: client.platform.admin, PYTHONDONTWRITEBYTECODE: '1' }
}, 120_000)
afterAll(async () => {
  await bff.close()
  await client.close()
})

/** Runs a program in the reader's folder, and returns what it printed. */
async function printed(program: string, words: string[]) {
  const { stdout } = await run(program, words, { cwd: client.folder, env, timeout: 60_000 })
  return stdout
}

const blocksOf = async (language: string) =>
  [...(await readFile('docs/notebooks.md', 'utf8')).matchAll(/```([^\n]*)\n(.*?)```/gs)]
    .filter(([, named]) => named === language)
    .map(([, , block = '']) => block)

const works = (program: string, ...words: string[]) =>
  run(program, words).then(
    () => true,
    () => false,
  )

/** The first Python of this machine that has these modules. `ASSAY_PYTHON` names another one. */
async function findPython(...modules: string[]) {
  const script = modules.map((name) => `import ${name}`).join('\n')
  for (const program of [process.env['ASSAY_PYTHON'] ?? '/usr/bin/python3', 'python3'])
    if (await works(program, '-c', script)) return program
  return null
}

/** The leaderboard's solved share of each agent. */
async function leaderboard() {
  const { rows } = JSON.parse((await client.assay(['results', 'word-count', '--group-by', 'agent', '--json'])).out)
  return Object.fromEntries(
    rows.map(({ label, solvedShare }: { label: string; solvedShare: number }) => [label, solvedShare]),
  ) as Record<string, number>
}

test('the shell lines download the module and files with a row for each run', async () => {
  for (const block of await blocksOf('sh')) await printed('sh', ['-euc', block])
  const read = (name: string) => readFile(join(client.folder, name))
  expect((await read('assay.py')).toString()).toBe(pythonModule())
  expect((await read('runs.csv')).toString().trimEnd().split('\r\n')).toHaveLength(10)
  expect((await read('runs.parquet')).subarray(0, 4).toString()).toBe('PAR1')
})

test('Python without any package prints the numbers of the leaderboard', async (context) => {
  const python = await findPython()
  if (python === null) return context.skip('python3 is not installed')
  await printed('sh', ['-euc', (await blocksOf('sh'))[0] ?? ''])
  const out = (await Promise.all((await blocksOf('python')).map((block) => printed(python, ['-c', block])))).join('')
  const board = await leaderboard()
  expect(board).toEqual({ careful: 1, hasty: 0.5 })
  for (const [agent, share] of Object.entries(board)) expect(out).toContain(`${agent} 4 ${share}`)
  expect(out).toContain('word-count')
})

test('pandas computes the leaderboard’s numbers from both tables', async (context) => {
  const python = await findPython('pandas')
  if (python === null) return context.skip('pandas is not installed (Debian: python3-pandas)')
  await printed('sh', ['-euc', (await blocksOf('sh'))[0] ?? ''])
  const [block = ''] = await blocksOf('python pandas')
  const out = await printed(python, ['-c', block])
  expect(out.match(/careful +1(\.0)?\b/g)).toHaveLength(2)
  expect(out.match(/hasty +0\.5\b/g)).toHaveLength(2)
  expect(out).toMatch(/\n0\.0\n$/)
})

test('pandas opens a Parquet file by its address', async (context) => {
  const python = await findPython('pandas', 'pyarrow', 'fsspec')
  if (python === null) return context.skip('pandas with pyarrow is not installed')
  const out = await printed(python, ['-c', (await blocksOf('python pyarrow'))[0] ?? ''])
  expect([/careful +1(\.0)?\b/.test(out), /hasty +0\.5\b/.test(out)]).toEqual([true, true])
})

test('R computes the leaderboard’s numbers', async (context) => {
  if (!(await works('Rscript', '--version'))) return context.skip('R is not installed (Debian: r-base-core)')
  const out = await printed('Rscript', ['-e', (await blocksOf('r'))[0] ?? ''])
  expect([/careful +1(\.0)?\b/.test(out), /hasty +0\.5\b/.test(out)]).toEqual([true, true])
})

test('the module refuses a redirect, a wrong key and a cut result with a sentence', async (context) => {
  const python = await findPython()
  if (python === null) return context.skip('python3 is not installed')
  await printed('sh', ['-euc', (await blocksOf('sh'))[0] ?? ''])
  const attempt = (line: string) =>
    printed(python, ['-c', `import assay\ntry:\n    ${line}\nexcept assay.Error as e:\n    print(e.code, e.status, e)`])
  expect(await attempt('assay.sql("SELECT number FROM numbers(10001)")')).toContain('more than 10,000 rows')
  expect(await attempt('print(len(assay.sql("SELECT number FROM numbers(10001)", limit=3)))')).toBe('3\n')
  expect(await attempt('assay.Client(assay.connect().url, "assay_wrong").runs()')).not.toContain('Traceback')
  expect(await attempt('assay.experiments_get("no/such..one")')).toMatch(/^not_found 404 /)
})
