import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { RunChanges } from '#contract/changes.ts'
import { detectSandbox } from '#platform/engine/sandbox/detect-sandbox.ts'
import { startRunEngine } from '#platform/engine/run-engine/start-run-engine.ts'
import { openTestPlatform, type TestPlatform } from '#platform/program/testing/test-platform.ts'
import { waitUntil } from '#platform/program/testing/test-run-engine.ts'

const sandbox = await detectSandbox()

let platform: TestPlatform
let folder: string
let engine: ReturnType<typeof startRunEngine>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-changes-'))
  platform = await openTestPlatform({ sandbox: sandbox.status })
  engine = startRunEngine(platform.services, { sandbox, workFolder: join(folder, 'work') })
})
afterAll(async () => {
  await engine.stop()
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

/** Runs an agent that is a shell script and returns the path of its run. */
async function runAgent(script: string, definition: object = {}, submission: object = {}) {
  const id = `changes-${(runCount += 1)}`
  const agents = [{ id: 'a', command: ['sh', '-c', script] }]
  const pushed = await platform.request('POST', '/experiments', {
    yaml: JSON.stringify({ id, name: id, agents, ...definition }),
  })
  expect(pushed.status, pushed.text).toBe(200)
  const submitted = await platform.request('POST', `/experiments/${id}/runs`, { body: submission })
  engine.wake()
  const path = `/runs?run_request_id=${submitted.json.runRequestId}`
  const isEnded = async () =>
    ['completed', 'errored'].includes((await platform.request('GET', path)).json.runs[0].status)
  await waitUntil(isEnded, 'the end of the run')
  return `/runs/${encodeURIComponent((await platform.request('GET', path)).json.runs[0].id)}`
}
let runCount = 0

const changesOf = async (run: string) => (await platform.request('GET', `${run}/changes`)).json as RunChanges
const contentsOf = async (run: string, path: string) =>
  (await platform.request('GET', `${run}/changes/file?path=${encodeURIComponent(path)}`)).json

const files = [
  { dest: 'kept.txt', content: 'same\n' },
  { dest: 'edited.txt', content: 'one\ntwo\nthree\n' },
  { dest: 'removed/old.txt', content: 'old' },
  { dest: 'tool.sh', content: '#!/bin/sh\n' },
]

test.skipIf(!sandbox.status.available)(
  'the changes of a run contain what its agent changed, and nothing that setup or tests changed',
  async () => {
    const script = `
    printf 'one\\n2\\nthree\\n' > edited.txt
    rm -r removed
    chmod +x tool.sh
    mkdir -p 'new folder' && printf 'no newline' > 'new folder/"quoted".txt'
    printf 'a\\0b' > binary.dat
    ln -s /etc/passwd link
    touch kept.txt`
    const run = await runAgent(script, {
      files,
      setup: { commands: [['sh', '-c', 'echo setup > from-setup.txt']] },
      tests: [{ name: 't', command: ['sh', '-c', 'echo test > from-test.txt'] }],
    })
    const { status, files: changed, leftOut } = await changesOf(run)
    expect({ status, leftOut }).toEqual({ status: 'available', leftOut: [] })
    expect(
      changed.map(({ path, change, addedLines, removedLines }) => [path, change, addedLines, removedLines]),
    ).toEqual([
      ['binary.dat', 'added', null, null],
      ['edited.txt', 'changed', 1, 1],
      ['link', 'added', 1, 0],
      ['new folder/"quoted".txt', 'added', 1, 0],
      ['removed/old.txt', 'deleted', 0, 1],
      ['tool.sh', 'changed', 0, 0],
    ])
    expect(await contentsOf(run, 'edited.txt')).toEqual({
      before: { encoding: 'utf8', text: 'one\ntwo\nthree\n' },
      after: { encoding: 'utf8', text: 'one\n2\nthree\n' },
    })
    // The link itself, never the file it leads to.
    expect(await contentsOf(run, 'link')).toEqual({ before: null, after: { encoding: 'utf8', text: '/etc/passwd' } })
    expect((await contentsOf(run, 'binary.dat')).after.encoding).toBe('base64')
    const unlisted = await platform.request('GET', `${run}/changes/file?path=kept.txt`)
    expect([unlisted.status, unlisted.json.error]).toEqual([404, 'not_found'])

    const repository = join(folder, 'repository')
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' })
    execFileSync('git', ['init', '--quiet', repository])
    for (const { dest, content } of files) {
      execFileSync('mkdir', ['-p', join(repository, dest, '..')])
      await writeFile(join(repository, dest), content)
    }
    const patch = await platform.request('GET', `${run}/changes/download?format=patch`)
    expect(patch.headers['x-total-count']).toBe('6')
    await writeFile(join(folder, 'changes.patch'), patch.text)
    git('apply', join(folder, 'changes.patch'))
    expect(await readFile(join(repository, 'edited.txt'), 'utf8')).toBe('one\n2\nthree\n')
    expect(await readFile(join(repository, 'new folder/"quoted".txt'), 'utf8')).toBe('no newline')
    expect(await readFile(join(repository, 'binary.dat'), 'utf8')).toBe('a\0b')
    expect(await readlink(join(repository, 'link'))).toBe('/etc/passwd')
    expect(execFileSync('ls', [repository], { encoding: 'utf8' })).not.toContain('removed')

    const archive = await platform.request('GET', `${run}/changes/download?format=archive`)
    await writeFile(join(folder, 'files.tar.gz'), archive.bytes)
    const listed = execFileSync('tar', ['-tzf', join(folder, 'files.tar.gz'), '--quoting-style=literal'], {
      encoding: 'utf8',
    })
    expect(listed.trim().split('\n').toSorted()).toEqual(
      ['binary.dat', 'edited.txt', 'link', 'new folder/"quoted".txt', 'tool.sh'].toSorted(),
    )
    const read = execFileSync('tar', ['-xzOf', join(folder, 'files.tar.gz'), 'edited.txt'], { encoding: 'utf8' })
    expect(read).toBe('one\n2\nthree\n')
  },
)

test.skipIf(!sandbox.status.available)(
  'artifacts are kept unchanged, and secrets are masked in names and contents',
  async () => {
    await platform.request('PUT', '/secrets/door', { body: { value: 'hunter2hunter2' } })
    const run = await runAgent('echo "it is $KEY" > "$KEY.txt"; echo "$KEY" >> edited.txt', {
      files,
      environments: [{ id: 'e', env: { KEY: 'assay://secrets/door' } }],
      artifacts: ['kept.*', 'nothing/**'],
    })
    const { files: changed } = await changesOf(run)
    expect(changed.map(({ path, change, isArtifact }) => [path, change, isArtifact])).toEqual([
      ['[secret:door].txt', 'added', false],
      ['edited.txt', 'changed', false],
      ['kept.txt', 'unchanged', true],
    ])
    const downloads = ['patch', 'archive'].map((format) =>
      platform.request('GET', `${run}/changes/download?format=${format}`),
    )
    const [patch, archive] = await Promise.all(downloads)
    await writeFile(join(folder, 'masked.tar.gz'), archive?.bytes ?? '')
    const unpacked = execFileSync('tar', ['-xzOf', join(folder, 'masked.tar.gz')], { encoding: 'utf8' })
    expect(unpacked).toContain('it is [secret:door]')
    for (const text of [patch?.text, unpacked, JSON.stringify(changed)]) expect(text).not.toContain('hunter2')
  },
)

test.skipIf(!sandbox.status.available)(
  'the patch contains a long new file and a file in which every line changed',
  async () => {
    const run = await runAgent('seq 5000 > added.txt; seq 5001 10000 > replaced.txt; : > emptied.txt', {
      files: ['replaced.txt', 'emptied.txt'].map((dest) => ({ dest, content: lines(1, 5000) })),
    })
    const { files: changed } = await changesOf(run)
    expect(changed.map(({ path, addedLines, removedLines }) => [path, addedLines, removedLines])).toEqual([
      ['added.txt', 5000, 0],
      ['emptied.txt', 0, 5000],
      ['replaced.txt', null, null],
    ])
    const repository = await mkdtemp(join(folder, 'long-'))
    execFileSync('git', ['init', '--quiet', repository])
    for (const name of ['replaced.txt', 'emptied.txt']) await writeFile(join(repository, name), lines(1, 5000))
    const patch = await platform.request('GET', `${run}/changes/download?format=patch`)
    await writeFile(join(folder, 'long.patch'), patch.text)
    execFileSync('git', ['-C', repository, 'apply', join(folder, 'long.patch')])
    expect(await readFile(join(repository, 'added.txt'), 'utf8')).toBe(lines(1, 5000))
    expect(await readFile(join(repository, 'replaced.txt'), 'utf8')).toBe(lines(5001, 10_000))
    expect(await readFile(join(repository, 'emptied.txt'), 'utf8')).toBe('')
  },
)

const lines = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `${from + at}\n`).join('')

test.skipIf(!sandbox.status.available)('what is too large or cannot be read is left out and said', async () => {
  const script = `
    head -c 6000000 /dev/zero > large.bin
    mkfifo pipe
    touch "$(printf 'not \\377 UTF-8')" "$(printf 'not \\357\\277\\275 UTF-8')"
    mkdir locked && echo x > locked/in && chmod 000 locked
    sed -i s/same/sane/ kept.txt && touch -d 2001-01-01 kept.txt`
  const run = await runAgent(script, { files })
  const { files: changed, leftOut } = await changesOf(run)
  const paths = changed.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(['kept.txt', 'large.bin']))
  expect(changed.find(({ path }) => path === 'large.bin')?.after).toMatchObject({
    sizeBytes: 6_000_000,
    hasContent: false,
  })
  expect(paths.join(' ')).not.toContain('UTF-8')
  expect(leftOut.join(' ')).toMatch(
    /[34] entries of the workspace are not listed: .*names that are not UTF-8, or are devices/,
  )
  expect(leftOut.join(' ')).toContain('The content of 1 file is not kept')
  expect((await contentsOf(run, 'large.bin')).after).toBeNull()
})

test('a mock run has no changes, and an unknown run is not found', async () => {
  const run = await runAgent('echo x > y', {}, { mock: true })
  expect(await changesOf(run)).toEqual({ status: 'unavailable', files: [], leftOut: [] })
  const download = await platform.request('GET', `${run}/changes/download?format=patch`)
  expect([download.status, download.json.message]).toEqual([404, 'This run recorded no changes'])
  const missing = await platform.request('GET', '/runs/a%3A%3A00000000/changes')
  expect([missing.status, missing.json.error]).toEqual([404, 'not_found'])
})
