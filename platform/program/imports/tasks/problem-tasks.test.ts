import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { findTasks } from './find-tasks.ts'
import { publishedSample } from './published-sample.ts'
import { atLength } from '#tools/test-length.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-problems-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const humanEval = {
  task_id: 'Made/0',
  prompt: 'def double(x):\n    """ Doubles x """\n',
  entry_point: 'double',
  canonical_solution: '    return 2 * x\n',
  test: 'def check(candidate):\n    assert candidate(2) == 4\n',
}

const mbpp = {
  task_id: 7,
  text: 'Write a function to halve a number.',
  code: 'def halve(x):\n    return x / 2\n',
  test_setup_code: 'import math',
  test_list: ['assert halve(4) == 2', 'assert math.isclose(halve(1), 0.5)'],
}

/** The tasks of a file, or of one of the given path. */
async function tasksOf(content: string | Uint8Array, path?: string) {
  const place = await mkdtemp(join(folder, 'found-'))
  const [file, stagingFolder] = [path ?? join(place, 'problems.jsonl'), join(place, 'staging')]
  await mkdir(stagingFolder)
  if (path === undefined) await writeFile(file, content)
  return findTasks({ paths: [file], shownFrom: place, stagingFolder, formats: null, isUpload: false })
}

const linesOf = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('\n')

const read = (task: { folder: string } | undefined, name: string) => readFile(join(task?.folder ?? '', name), 'utf8')

test('a problem in another language is skipped with its reason', async () => {
  const { found, skipped } = await tasksOf(linesOf({ ...humanEval, task_id: 'Rust/0' }, humanEval))
  expect(found).toHaveLength(1)
  expect(skipped.map(({ text }) => text)).toEqual(['it is a problem in Rust, and only those in Python can be tested'])
})

test('HumanEval and MBPP are told apart by their fields, and become task folders with a solution', async () => {
  const { found } = await tasksOf(linesOf(humanEval, mbpp))
  const [first, second] = found
  expect(found.map(({ format, folder: place }) => [format, place.split('/').at(-1)])).toEqual([
    ['humaneval', 'Made-0'],
    ['mbpp', 'mbpp-7'],
  ])
  expect(await read(first, 'task.toml')).toMatch(/docker_image = "python:3\.13"\nnetwork_mode = "no-network"/)
  expect(await read(first, 'instruction.md')).toContain('def double(x):')
  expect(await read(second, 'instruction.md')).toMatch(
    /^Write a function to halve a number\.[^]*assert halve\(4\) == 2/,
  )
  expect(await read(first, 'solution/solution.py')).toContain('return 2 * x')
})

test('a file that is compressed has the same problems', async () => {
  const { found } = await tasksOf(gzipSync(linesOf(humanEval)))
  expect(found.map(({ folder: place }) => place.split('/').at(-1))).toEqual(['Made-0'])
})

test('a line of something else is skipped with the reason', async () => {
  const reasonOf = async (...records: object[]) => (await tasksOf(linesOf(...records))).skipped.map(({ text }) => text)
  expect(await reasonOf({ a: 1 })).toEqual(['it has no tasks in a format that an import reads'])
  expect(await reasonOf(humanEval, { a: 1 })).toEqual(['it has other fields than a task'])
  expect(await reasonOf({ ...humanEval, prompt: null })).toEqual(['it lacks fields of its format'])
  expect(await reasonOf({ ...humanEval, entry_point: 'f)\nimport os #' })).toEqual([
    'its entry_point is no name of a function',
  ])
  expect(await reasonOf({ ...mbpp, text: 'a\0' })).toEqual(['it is not plain text'])
})

/** Whether the tests of a task pass after its solution, or after another text of solution.py. */
async function passes(task: { folder: string } | undefined, solution?: string) {
  const workspace = await mkdtemp(join(folder, 'run-'))
  const script = join(workspace, 'test.sh')
  await writeFolder(workspace, {
    // Only an image has this folder.
    'test.sh': (await read(task, 'tests/test.sh')).replaceAll('/logs/verifier', join(workspace, 'logs')),
    'check.py': await read(task, 'tests/check.py'),
    'tests.py': await read(task, 'tests/tests.py'),
  })
  const run = (path: string) => promisify(execFile)('bash', [path], { cwd: workspace })
  if (solution === undefined) await run(join(task?.folder ?? '', 'solution/solve.sh'))
  else await writeFile(join(workspace, 'solution.py'), solution)
  await run(script).catch(() => {})
  return (await readFile(join(workspace, 'logs/reward.txt'), 'utf8')) === '1\n'
}

const published = publishedSample('HumanEval.jsonl.gz')
const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)(`tests of problems (${hasPython ? 'available' : 'no python3'})`, () => {
  test('a reference solution passes, and a wrong, missing or early ending one fails', async () => {
    const {
      found: [first, second],
    } = await tasksOf(linesOf(humanEval, mbpp))
    expect(await passes(first)).toBe(true)
    expect(await passes(first, 'def double(x):\n    return x\n')).toBe(false)
    expect(await passes(first, '')).toBe(false)
    expect(await passes(first, 'import sys\nsys.exit(0)\n')).toBe(false)
    expect(await passes(second)).toBe(true)
    expect(await passes(second, 'def halve(x):\n    return x // 2\n')).toBe(false)
  })

  test.skipIf(published === null)(
    'the published reference solutions of HumanEval solve their tasks',
    { timeout: 300_000 },
    async () => {
      const { found } = await tasksOf('', published ?? '')
      const failed: string[] = []
      const every = atLength(20, 1)
      for (const task of found.filter((_, place) => place % every === 0))
        if (!(await passes(task))) failed.push(task.place)
      expect([found.length, failed]).toEqual([164, []])
    },
  )
})
