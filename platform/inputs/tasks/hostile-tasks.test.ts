import { execFileSync, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'
import { describeReceipt } from '#platform/program/imports/tasks/describe-receipt.ts'
import { packFiles } from './pack-task.ts'
import { readContainer } from './read-container.ts'
import { readHarbor } from './read-harbor.ts'
import { readTerminalBench } from './read-terminal-bench.ts'

let parent: string
let task: string
let outside: string
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'assay-hostile-'))
  task = join(parent, 'task')
  outside = join(parent, 'outside')
  await writeFolder(outside, { 'test.sh': 'secret', 'run-tests.sh': 'secret', 'solve.sh': 'secret', precious: 'mine' })
})
afterEach(() => rm(parent, { recursive: true, force: true }))

const terminal = { 'task.yaml': 'instruction: Do it.\n', 'run-tests.sh': '' }
const harbor = { 'task.toml': '', 'instruction.md': 'Do it.\n' }

const pack = (packed: Parameters<typeof packFiles>[0]['packed']) =>
  packFiles({ source: 'tests', dest: 'tests', root: '', packed })

test('a script of the import replaces a link in its place and never writes where the link leads', async () => {
  const { 'run-tests.sh': _, ...files } = terminal
  await writeFolder(task, { ...files, 'tests/test_outputs.py': '' })
  await symlink(join(outside, 'precious'), join(task, 'tests', 'run-tests.sh'))
  const { tests } = await readTerminalBench(task)
  const archive = Buffer.from(await pack(tests?.packed ?? [])).toString('latin1')
  expect(await readFile(join(outside, 'precious'), 'utf8')).toBe('mine')
  expect(archive).toContain('pytest "$TEST_DIR/test_outputs.py"')
})

test('folders of tests and solutions that are links out of the task are not followed', async () => {
  await writeFolder(task, { ...terminal, ...harbor })
  for (const name of ['tests', 'solution']) await symlink(outside, join(task, name))
  await expect(readHarbor(task)).rejects.toThrow('it has no tests/test.sh')
  expect((await readTerminalBench(task)).tests?.packed).toEqual([
    { from: join(task, 'run-tests.sh'), to: 'tests/run-tests.sh' },
  ])
  await rm(join(task, 'run-tests.sh'))
  await expect(readTerminalBench(task)).rejects.toThrow('it has no run-tests.sh')
  await rm(join(task, 'tests'))
  await writeFolder(task, { 'tests/test.sh': '' })
  expect((await readHarbor(task)).solution).toBeNull()
})

test.each([
  ['UTF-16', Buffer.from('\uFEFFinstruction: Do it.\n', 'utf16le')],
  ['Latin-1', Buffer.from('instruction: Größe\n', 'latin1')],
  ['a NUL', Buffer.from('instruction: Do\0it.\n')],
])('a text in %s is refused by the name of its file', async (_, bytes) => {
  await writeFolder(task, terminal)
  await writeFile(join(task, 'task.yaml'), bytes)
  await expect(readTerminalBench(task)).rejects.toThrow('task.yaml is not UTF-8 text')
})

test('a byte order mark at the start of a text is removed', async () => {
  await writeFolder(task, { ...harbor, 'instruction.md': '\uFEFFDo it.\n', 'tests/test.sh': '' })
  expect((await readHarbor(task)).instruction).toBe('Do it.\n')
})

const bomb = [
  'a: &a [x, x, x]',
  ...Array.from('bcdefghij', (name, at) => {
    const before = 'abcdefghi'[at]
    return `${name}: &${name} [${`*${before}, `.repeat(20)}]`
  }),
].join('\n')

test.each([
  ['an alias bomb', () => `${bomb}\ninstruction: *j\n`],
  ['a million brackets', (many: number) => `instruction: ${'['.repeat(many)}\n`],
])('%s in task.yaml is refused at once', async (_, yamlOf) => {
  await expectLinear(async (many) => {
    await writeFolder(task, { ...terminal, 'task.yaml': yamlOf(many) })
    await expect(readTerminalBench(task)).rejects.toThrow('task.yaml')
  }, 1_000_000)
})

test('a task.yaml with a hundred thousand mistakes is refused in one short sentence', async () => {
  await writeFolder(task, { ...terminal, 'task.yaml': `instruction: x\ndescriptions: [${'1, '.repeat(100_000)}]\n` })
  const error = await readTerminalBench(task).catch((thrown: Error) => thrown)
  expect(String(error).length).toBeLessThan(2000)
})

test('a Dockerfile of blank lines is read in the time that its size takes', async () => {
  await expectLinear(async (lines) => {
    await writeFolder(task, { Dockerfile: `FROM a\n${'\n'.repeat(lines)}` })
    expect((await readContainer(task, { main: 'client', addsMain: false })).notes).toEqual([])
  }, 200_000)
})

test('pipes and devices are left out, and links stay links', async () => {
  await writeFolder(task, { 'tests/test.sh': 'kept' })
  execFileSync('mkfifo', [join(task, 'tests', 'pipe')])
  await symlink(join(outside, 'precious'), join(task, 'tests', 'link'))
  const archive = Buffer.from(await pack([{ from: join(task, 'tests'), to: 'tests' }])).toString('latin1')
  expect(archive).toContain('kept')
  expect(archive).not.toContain('mine')
  expect(archive).not.toContain('pipe')
})

test('a file is put into a folder that is read-only, and its copy is removed, also as an ordinary user', async () => {
  await writeFolder(parent, { 'from/tests/deep/given.txt': 'given', 'from/test.sh': 'added' })
  execFileSync('chmod', ['-R', 'a+rX', join(parent, 'from')])
  execFileSync('chmod', ['-R', 'a-w', join(parent, 'from/tests')])
  const script = `
    const { packFiles } = await import(${JSON.stringify(new URL('./pack-task.ts', import.meta.url).href)})
    const packed = [
      { from: ${JSON.stringify(join(parent, 'from/tests'))}, to: 'tests' },
      { from: ${JSON.stringify(join(parent, 'from/test.sh'))}, to: 'tests/deep/test.sh' },
    ]
    process.stdout.write(await packFiles({ source: 'tests', dest: 'tests', root: '', packed }))`
  await chmod(parent, 0o755)
  const temporary = join(parent, 'temporary')
  await mkdir(temporary)
  await chmod(temporary, 0o777)
  const nobody = { uid: 65_534, gid: 65_534 }
  // A checkout below a private folder, such as that of root, cannot be read by others.
  const isReadable = spawnSync(process.execPath, ['--version'], nobody).status === 0
  const user = process.getuid?.() === 0 && isReadable ? nobody : {}
  const archive = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { ...process.env, TMPDIR: temporary },
    ...user,
  }).toString('latin1')
  execFileSync('chmod', ['-R', 'u+w', join(parent, 'from')])
  expect(archive).toContain('given')
  expect(archive).toContain('added')
  expect(await readdir(temporary)).toEqual([])
})

test('a huge file and many empty files are refused before they fill the memory', async () => {
  await writeFolder(task, { 'tests/test.sh': '' })
  await truncate(join(task, 'tests', 'test.sh'), 2 ** 40)
  const refused = `${join(task, 'tests')} has more than 200 MB of files`
  await expect(pack([{ from: join(task, 'tests'), to: 'tests' }])).rejects.toThrow(refused)
})

test('a file name that is not UTF-8 is refused in a sentence', async () => {
  await mkdir(join(task, 'tests'), { recursive: true })
  await writeFile(Buffer.concat([Buffer.from(`${task}/tests/`), Buffer.from([0xff, 0xfe])]), '')
  const refused = `${join(task, 'tests')} has a name that is not UTF-8`
  await expect(pack([{ from: join(task, 'tests'), to: 'tests' }])).rejects.toThrow(refused)
})

test('files that are in each other’s place are refused, without the names of temporary folders', async () => {
  await writeFolder(task, { tests: 'a file' })
  const packed = [
    { from: join(task, 'tests'), to: 'tests' },
    { content: '', to: 'tests/run.sh' },
  ]
  await expect(pack(packed)).rejects.toThrow(/^its files cannot be packed: (?!.*assay-import)/)
})

test('the report of an import has no control characters and no endless lines of a task', () => {
  const none = { experimentId: 'e', ordinal: 1, created: true, tasks: 1, withSolution: 0, withoutOracle: false }
  const lines = describeReceipt({
    ...none,
    notes: [{ task: 'a', text: `The parser \u001b[2J\u202e${'x'.repeat(5000)} is not known` }],
    skipped: [{ task: '/set/two\nlines', text: 'it has no task.yaml' }],
  })
  expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u)
  expect(lines.every((line) => line.length <= 2001)).toBe(true)
  expect(lines[2]).toBe('Skipped /set/two�lines: it has no task.yaml')
})
