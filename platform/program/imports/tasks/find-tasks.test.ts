import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { packTar } from '#platform/ground/files/pack-tar.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { findTasks, type TaskSearch } from './find-tasks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-find-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function find(files: Record<string, string | Uint8Array>, search: Partial<TaskSearch> = {}) {
  const place = await mkdtemp(join(folder, 'set-'))
  const [given, stagingFolder] = [join(place, 'given'), join(place, 'staging')]
  for (const each of [given, stagingFolder]) await mkdir(each)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(given, path, '..'), { recursive: true })
    await writeFile(join(given, path), content)
  }
  return findTasks({ paths: [given], shownFrom: given, stagingFolder, formats: null, isUpload: false, ...search })
}

const harbor = { 'task.toml': '', 'instruction.md': 'Do it.', 'tests/test.sh': '#!/bin/sh\n' }
const below = (name: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${name}/${path}`, text]))

const exercise = {
  '.meta/config.json': JSON.stringify({
    files: { solution: ['two_fer.py'], test: ['two_fer_test.py'], example: ['.meta/example.py'] },
  }),
  '.meta/example.py': 'def two_fer(name="you"):\n    return f"One for {name}, one for me."\n',
  '.docs/instructions.md': 'Say what you say.',
  '.docs/instructions.append.md': 'Use a default.',
  'two_fer.py': 'def two_fer(name):\n    pass\n',
  'two_fer_test.py': 'def test_it():\n    assert True\n',
}

const instance = {
  instance_id: 'made__lib-1',
  repo: 'made/lib',
  base_commit: '0123456789abcdef',
  problem_statement: 'It is wrong.',
  patch: 'diff --git a/lib.py b/lib.py\n',
  test_patch: '--- a/tests/test_lib.py\n+++ b/tests/test_lib.py\n@@ -1 +1 @@\n-a\n+b\n',
  FAIL_TO_PASS: '["tests/test_lib.py::test_it"]',
  PASS_TO_PASS: '[]',
}

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const shownOf = ({ found }: Awaited<ReturnType<typeof find>>) => found.map(({ place, format }) => [place, format])

test('one search finds tasks of every format, in folders, files of lines and archives', async () => {
  const place = await mkdtemp(join(folder, 'packed-'))
  await writeFolder(place, below('inner/first', harbor))
  const answer = await find({
    ...below('a/one', harbor),
    'b/two/task.yaml': 'instruction: Do it.\n',
    ...below('c/two-fer', exercise),
    'd/verified.jsonl': lines(instance, { ...instance, instance_id: 'made__lib-2' }),
    'e.tar': await packTar(place),
    'notes.md': 'Nothing here.',
    'numbers.json': '{"a": 1}',
  })
  expect(shownOf(answer)).toEqual([
    ['a/one', 'harbor'],
    ['b/two', 'terminal-bench'],
    ['c/two-fer', 'exercism'],
    ['d/verified.jsonl, task 1', 'swe-bench'],
    ['d/verified.jsonl, task 2', 'swe-bench'],
    ['e.tar/inner/first', 'harbor'],
  ])
  expect(answer.skipped).toEqual([])
})

test('task folders are found at any depth and sorted by name, and a folder inside a task is not a task', async () => {
  const task = { 'task.toml': '' }
  const files = Object.assign(
    {},
    ...['b/second', 'a/first', 'a/first/tests/inner', '.git/hidden'].map((place) => below(place, task)),
  )
  const placesOf = async (search: Partial<TaskSearch>) => (await find(files, search)).found.map(({ place }) => place)
  expect(await placesOf({ formats: ['harbor'] })).toEqual(['a/first', 'b/second'])
  const given = await mkdtemp(join(folder, 'task-'))
  await writeFolder(given, task)
  expect(await placesOf({ paths: [given], shownFrom: folder, formats: ['harbor'] })).toEqual([given.split('/').at(-1)])
  expect(await placesOf({ formats: ['terminal-bench'] })).toEqual([])
})

test('archives in archives are opened twice, and no deeper', async () => {
  const inArchive = async (files: Record<string, string | Uint8Array>) => {
    const place = await mkdtemp(join(folder, 'nested-'))
    for (const [path, content] of Object.entries(files)) {
      await mkdir(join(place, path, '..'), { recursive: true })
      await writeFile(join(place, path), content)
    }
    return packTar(place)
  }
  const twice = await inArchive({ 'inner.tar': await inArchive(below('first', harbor)) })
  expect(shownOf(await find({ 'outer.tar': twice }))).toEqual([['outer.tar/inner.tar/first', 'harbor']])
  expect(shownOf(await find({ 'outer.tar': await inArchive({ 'middle.tar': twice }) }))).toEqual([])
})

test('one format is looked for where it is named', async () => {
  const files = { ...below('one', harbor), 'verified.jsonl': lines(instance) }
  expect(shownOf(await find(files, { formats: ['swe-bench'] }))).toEqual([['verified.jsonl, task 1', 'swe-bench']])
})

test('a task of SWE-bench has its image, the tests that count and its patch', async () => {
  const { found } = await find({ 'verified.jsonl': lines(instance, { ...instance, repo: 'django/django' }) })
  const read = (name: string, at = 0) => readFile(join(found[at]?.folder ?? '', name), 'utf8')
  expect(await read('task.toml')).toContain('docker_image = "swebench/sweb.eval.x86_64.made_1776_lib-1:latest"')
  expect(await read('instruction.md')).toContain('made/lib')
  expect(await read('tests/files.txt')).toBe('tests/test_lib.py\n')
  expect(await read('tests/run.sh')).toBe('pytest -rA "${tests[@]}"\n')
  expect(await read('tests/run.sh', 1)).toContain('./tests/runtests.py')
  expect(JSON.parse(await read('tests/tests.json'))).toEqual({
    parser: 'pytest',
    FAIL_TO_PASS: ['tests/test_lib.py::test_it'],
    PASS_TO_PASS: [],
  })
  expect(await read('solution/fix.patch')).toBe(instance.patch)
})

test('a set can have its lists in Python, and its command in a record of the line', async () => {
  const own = {
    ...instance,
    FAIL_TO_PASS: `['tests/test_lib.py::test_it', "tests/test_lib.py::test_it[it's]"]`,
    install_config: { test_cmd: 'run-them --all', python: '3.9' },
  }
  const { found, skipped } = await find({ 'python.jsonl': lines(own, own) })
  expect(skipped).toEqual([])
  const read = (name: string) => readFile(join(found[0]?.folder ?? '', name), 'utf8')
  expect(JSON.parse(await read('tests/tests.json'))).toMatchObject({
    FAIL_TO_PASS: ['tests/test_lib.py::test_it', "tests/test_lib.py::test_it[it's]"],
  })
  expect(await read('tests/run.sh')).toBe('run-them --all "${tests[@]}"\n')
})

test('a set with the fields of SWE-bench can name an image and a command of its own, and can come as Parquet', async () => {
  const own = { ...instance, FAIL_TO_PASS: undefined, docker_image: 'made/image:1', test_cmd: 'run-them --all' }
  const rows = [{ ...own, fail_to_pass: ['it works'] }]
  const columnData = Object.keys(rows[0] ?? {}).map((name) => ({
    name,
    data: rows.map((row) => row[name as keyof typeof row] ?? null),
    type: name === 'fail_to_pass' ? ('JSON' as const) : ('STRING' as const),
  }))
  const written = parquetWriteBuffer({ columnData: columnData.filter(({ name }) => name !== 'FAIL_TO_PASS') })
  const sets: [string, string | Uint8Array][] = [
    ['set.jsonl', lines(...rows)],
    ['set.parquet', new Uint8Array(written)],
  ]
  for (const [name, content] of sets) {
    const { found, skipped } = await find({ [name]: content })
    expect(skipped).toEqual([])
    const read = (path: string) => readFile(join(found[0]?.folder ?? '', path), 'utf8')
    expect(await read('task.toml')).toContain('docker_image = "made/image:1"')
    expect(await read('tests/run.sh')).toBe('run-them --all "${tests[@]}"\n')
    expect(JSON.parse(await read('tests/tests.json'))).toMatchObject({ FAIL_TO_PASS: ['it works'] })
  }
})

test('an exercise hides its tests and its example from the agent', async () => {
  const { found } = await find(below('python/exercises/practice/two-fer', exercise))
  const place = found[0]?.folder ?? ''
  const read = (name: string) => readFile(join(place, name), 'utf8')
  expect(place.split('/').at(-1)).toBe('python-two-fer')
  expect(await read('instruction.md')).toMatch(/^Say what you say\.\n\nUse a default\.\n\n.*`two_fer\.py`/s)
  expect(await read('environment/Dockerfile')).toContain('FROM python:3.13\nWORKDIR /app/two-fer\nCOPY given/ .\n')
  expect(await read('environment/given/two_fer.py')).toContain('pass')
  expect(await read('tests/files/two_fer_test.py')).toContain('test_it')
  expect(await read('solution/files/two_fer.py')).toContain('One for')
  await expect(stat(join(place, 'environment/given/two_fer_test.py'))).rejects.toThrow('ENOENT')
  await expect(stat(join(place, 'environment/given/.meta'))).rejects.toThrow('ENOENT')
})

test('each record that cannot become a task is skipped with its reason', async () => {
  const broken = [
    { ...instance, base_commit: '--force' },
    { ...instance, FAIL_TO_PASS: '[' },
    { ...instance, test_patch: '' },
  ]
  const { found, skipped } = await find({ 'verified.jsonl': `${lines(...broken)}{"a": 1}\n` })
  expect(found).toEqual([])
  expect(skipped.map(({ text }) => text)).toEqual([
    'it has no base_commit',
    'its FAIL_TO_PASS names no test',
    'it has no test_patch',
    'it has other fields than a task',
  ])
  const odd = { ...exercise, '.meta/config.json': '{"files": {"solution": ["a.cob"], "test": ["b.cob"]}}' }
  const exercises = await find({ ...below('cobol', odd), ...below('empty', { '.meta/config.json': '{}' }) })
  expect(exercises.skipped.map(({ text }) => text)).toEqual([
    'its solution a.cob is in no language that an import can test',
    '.meta/config.json does not name its solution and its tests',
  ])
})

test('an exercise names no file outside its folder, and no link is followed', async () => {
  const outside = {
    ...exercise,
    '.meta/config.json': exercise['.meta/config.json'].replace('.meta/example.py', '../secret.py'),
  }
  const { found } = await find({ ...below('deep/two-fer', outside), 'deep/secret.py': 'SECRET' })
  await expect(stat(join(found[0]?.folder ?? '', 'solution'))).rejects.toThrow('ENOENT')
  const place = await mkdtemp(join(folder, 'linked-'))
  await writeFolder(join(place, 'given/two-fer'), exercise)
  await writeFile(join(place, 'secret'), 'SECRET')
  await rm(join(place, 'given/two-fer/.docs/instructions.md'))
  await symlink(join(place, 'secret'), join(place, 'given/two-fer/.docs/instructions.md'))
  await mkdir(join(place, 'staging'))
  const linked = await findTasks({
    paths: [join(place, 'given')],
    shownFrom: place,
    stagingFolder: join(place, 'staging'),
    formats: null,
    isUpload: false,
  })
  expect([linked.found.length, linked.skipped.map(({ text }) => text.includes('cannot be read'))]).toEqual([0, [true]])
})

test('scripts of an upload can be started, and its other files can be read', async () => {
  const { found } = await find({ ...below('one', harbor) }, { isUpload: true })
  const place = found[0]?.folder ?? ''
  const modeOf = async (name: string) => ((await stat(join(place, name))).mode & 0o777).toString(8)
  expect([await modeOf('tests/test.sh'), await modeOf('task.toml')]).toEqual(['755', '644'])
})
