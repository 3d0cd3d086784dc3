import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { atLength } from '#tools/test-length.ts'
import type { BenchmarkTask, Packed } from '#platform/inputs/tasks/benchmark-task.ts'
import { findProblems } from './read-problems.ts'

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

async function tasksOf(content: string | Uint8Array) {
  const file = join(folder, 'problems.jsonl')
  await writeFile(file, content)
  return findProblems(file)
}

const linesOf = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('\n')

test('HumanEval and MBPP are told apart by their fields, and become instructions with a solution', async () => {
  const found = await tasksOf(linesOf(humanEval, mbpp))
  const [first, second] = await Promise.all(found.map(({ read }) => read()))
  expect(first).toMatchObject({ id: 'Made-0', image: 'python:3.13', network: false })
  expect(first?.instruction).toContain('def double(x):')
  expect(second?.id).toBe('mbpp-7')
  expect(second?.instruction).toMatch(/^Write a function to halve a number\.[^]*assert halve\(4\) == 2/)
  expect([first, second].every((task) => task?.solution)).toBe(true)
})

test('a file that is compressed has the same problems', async () => {
  const [only] = await tasksOf(gzipSync(linesOf(humanEval)))
  expect((await only?.read())?.id).toBe('Made-0')
})

test('a line of something else is refused with the reason, and so is a file that expands to too much', async () => {
  const reasonOf = async (content: string) => {
    const [only] = await tasksOf(content)
    return only?.read().then(
      () => 'none',
      (error: Error) => error.message,
    )
  }
  expect(await reasonOf('{')).toBe('it is not JSON')
  expect(await reasonOf('[]')).toBe('it is no JSON object')
  expect(await reasonOf('{"a": 1}')).toBe('it has no task_id')
  expect(await reasonOf('{"task_id": "a"}')).toBe('it has neither the fields of HumanEval nor those of MBPP')
  expect(await reasonOf(linesOf({ ...humanEval, entry_point: 'f)\nimport os #' }))).toBe(
    'its entry_point is no name of a function',
  )
  expect(await reasonOf(linesOf({ ...mbpp, text: 'a\0' }))).toBe('it is not plain text')
  await expect(tasksOf(gzipSync(Buffer.alloc(65 * 1024 * 1024)))).rejects.toThrow('more than 64 MB')
})

async function unpack(packed: readonly Packed[], place: string) {
  for (const file of packed) {
    if (!('content' in file)) continue
    await mkdir(dirname(join(place, file.to)), { recursive: true })
    await writeFile(join(place, file.to), file.content)
  }
}

/** Whether the tests of a task pass after its solution, or after another text of solution.py. */
async function passes(task: BenchmarkTask | undefined, solution?: string) {
  if (!task?.solution) throw new Error('The task has no solution')
  const place = await mkdtemp(join(folder, 'run-'))
  const [packed, workspace] = [join(place, 'packed'), join(place, 'workspace')]
  await mkdir(workspace)
  await unpack([...task.tests.packed, ...task.solution.packed], packed)
  const run = (script: string) => promisify(execFile)('bash', [join(packed, script)], { cwd: workspace })
  if (solution === undefined) await run('solution/solve.sh')
  else await writeFile(join(workspace, 'solution.py'), solution)
  return run('tests/test.sh').then(
    () => true,
    () => false,
  )
}

/** Beside the repository, or beside the folder of its worktrees. */
const published = fileURLToPath(
  ['../../../../../', '../../../../../../']
    .map((above) => new URL(`${above}shared/data/samples/HumanEval.jsonl.gz`, import.meta.url))
    .find((place) => existsSync(place)) ?? new URL('absent', import.meta.url),
)

const hasPython = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!hasPython)(`tests of problems (${hasPython ? 'available' : 'no python3'})`, () => {
  test('a reference solution passes, and a wrong, missing or early ending one fails', async () => {
    const found = await tasksOf(linesOf(humanEval, mbpp))
    const [first, second] = await Promise.all(found.map(({ read }) => read()))
    expect(await passes(first)).toBe(true)
    expect(await passes(first, 'def double(x):\n    return x\n')).toBe(false)
    expect(await passes(first, '')).toBe(false)
    expect(await passes(first, 'import sys\nsys.exit(0)\n')).toBe(false)
    expect(await passes(second)).toBe(true)
    expect(await passes(second, 'def halve(x):\n    return x // 2\n')).toBe(false)
  })

  test.skipIf(!existsSync(published))(
    'the published reference solutions of HumanEval solve their tasks',
    { timeout: 300_000 },
    async () => {
      const found = await findProblems(published)
      const tasks = await Promise.all(found.map(({ read }) => read()))
      const failed: string[] = []
      const every = atLength(20, 1)
      for (const task of tasks.filter((_, place) => place % every === 0))
        if (!(await passes(task))) failed.push(task.id)
      expect([tasks.length, failed]).toEqual([164, []])
    },
  )
})
