import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import type { VersionFile } from '#contract/experiments.ts'
import { packTar } from '#platform/ground/files/pack-tar.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { writeTar } from '#platform/program/testing/test-registry.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'

const platform = await openTestPlatform()
const folder = await mkdtemp(join(tmpdir(), 'assay-folders-'))
afterAll(async () => {
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

const harbor = (instruction = 'Write 42 into answer.txt.') => ({
  'task.toml': `[metadata]\ndifficulty = "hard"\ncategory = "files"\ntags = ["numbers"]\n[agent]\ntimeout_sec = 90\n[environment]\ndocker_image = "node:24"\nenv = { LEVEL = "3" }\n`,
  'instruction.md': instruction,
  'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
  'solution/solve.sh': 'echo 42 > answer.txt\n',
})

const terminalBench = {
  'task.yaml': 'instruction: Sort the lines.\ndifficulty: easy\nmax_agent_timeout_sec: 60\n',
  Dockerfile: 'FROM ubuntu:24.04\n',
  'run-tests.sh': 'pytest\n',
}

const stage = async (tar: Uint8Array, source: string): Promise<VersionFile> => {
  const { json } = await platform.request('POST', '/package-files', {
    body: { content: Buffer.from(tar).toString('base64') },
  })
  return { source, dest: source, ...json }
}

async function stageFolder(source: string, files: Record<string, string>) {
  const place = await mkdtemp(join(folder, 'task-'))
  await writeFolder(place, files)
  return stage(await packTar(place), source)
}

const agents = 'agents: [{id: oracle, command: [sh, solve.sh]}, {id: nothing, command: ["true"]}]'
const definition = (id: string, more = '') => `id: ${id}\nname: Tasks\n${agents}\ntasks: tasks/*\n${more}`

const push = (experimentYaml: string, versionFiles?: VersionFile[]) =>
  platform.request('POST', '/experiments', {
    body: { experimentYaml, ...(versionFiles && { replaceVersionFiles: true, versionFiles }) },
  })

describe('a definition with task folders', () => {
  test('each folder is a prompt in an environment of its own, and the YAML stays short', async () => {
    const files = [await stageFolder('tasks/answer', harbor()), await stageFolder('tasks/sort', terminalBench)]
    const yaml = definition('folders')
    expect(await push(yaml, files)).toMatchObject({ status: 200, json: { ordinal: 1, created: true } })
    const { json } = await platform.request('GET', '/experiments/folders')
    expect(json.variants.map(({ variantId }: { variantId: string }) => variantId)).toEqual([
      'oracle~answer~answer',
      'oracle~sort~sort',
      'nothing~answer~answer',
      'nothing~sort~sort',
    ])
    expect(json.testNames).toEqual(['answer', 'sort'])
    expect((await platform.request('GET', '/experiments/folders/yaml')).text).toBe(yaml)
    expect((await platform.request('GET', '/experiments/folders/tasks')).json).toMatchObject({
      total: 2,
      tasks: [
        {
          id: 'answer',
          instruction: 'Write 42 into answer.txt.',
          image: 'node:24',
          tests: 1,
          maxTimeSeconds: 90,
          difficulty: 'hard',
          tags: ['files', 'numbers'],
        },
        { id: 'sort', instruction: 'Sort the lines.', image: null, difficulty: 'easy', tags: [], maxTimeSeconds: 60 },
      ],
    })
  })

  test('a task has its whole instruction, tests, files and environment', async () => {
    const long = `First line.\n${'More text. '.repeat(100)}`
    await push(definition('whole'), [await stageFolder('tasks/long', harbor(long))])
    expect((await platform.request('GET', '/experiments/whole/tasks/long')).json).toMatchObject({
      instruction: long,
      environments: [{ id: 'long', image: 'node:24', variables: ['LEVEL'] }],
      tests: [{ name: 'long', report: 'reward', files: ['.assay-tests'] }],
      limits: { maxTimeSeconds: 90 },
    })
    const found = await platform.request('GET', '/experiments/whole/tasks?search=numbers')
    expect(found.json.tasks).toHaveLength(1)
  })

  test('the same folders are the same version, and a changed folder is another one', async () => {
    const first = [await stageFolder('tasks/a', harbor('One.')), await stageFolder('tasks/b', harbor('Two.'))]
    const { json } = await push(definition('versions'), first)
    expect((await push(definition('versions'), first.toReversed())).json).toMatchObject({
      fingerprint: json.fingerprint,
      created: false,
    })
    const changed = [first[0] ?? expect.fail(), await stageFolder('tasks/b', harbor('Three.'))]
    expect((await push(definition('versions'), changed)).json).toMatchObject({ ordinal: 2, created: true })
    // Raw YAML is accepted only if it equals a stored version.
    expect((await push(definition('versions'))).json).toMatchObject({ ordinal: 2, created: false })
    expect(await push(definition('versions', 'limits: {retries: 1}\n'))).toMatchObject({ status: 400 })
  })

  test('another definition can have the package of a stored version', async () => {
    const { json } = await push(definition('kept'), [await stageFolder('tasks/a', harbor())])
    const changed = (more: object) =>
      platform.request('POST', '/experiments', {
        body: { experimentYaml: definition('kept', 'limits: {retries: 1}\n'), ...more },
      })
    expect((await changed({ packageOfVersion: json.fingerprint })).json).toMatchObject({ ordinal: 2, created: true })
    expect((await platform.request('GET', '/experiments/kept/tasks')).json.tasks).toHaveLength(1)
    const refused = [
      { packageOfVersion: 'f'.repeat(64) },
      { packageOfVersion: json.fingerprint, replaceVersionFiles: true, versionFiles: [] },
    ]
    for (const body of refused) expect((await changed(body)).status).toBe(400)
    const experimentYaml = definition('kept', 'files: [{dest: a, source: a.txt}]\n')
    expect(await changed({ experimentYaml, packageOfVersion: json.fingerprint })).toMatchObject({
      status: 400,
      json: { message: 'The package of that version lacks a.txt' },
    })
  })

  test('a fork has the same tasks', async () => {
    await push(definition('forked'), [await stageFolder('tasks/a', harbor())])
    await platform.request('POST', '/experiments/forked/fork', { body: { newExperimentId: 'copy' } })
    expect((await platform.request('GET', '/experiments/copy/tasks/a')).json).toMatchObject({
      instruction: 'Write 42 into answer.txt.',
    })
  })

  test('include and exclude name the tasks', async () => {
    const files = [await stageFolder('tasks/a', harbor('A.')), await stageFolder('tasks/b', harbor('B.'))]
    const exclude = (prompt: string) => definition('patterns', `variants: {exclude: [{prompt: ${prompt}}]}\n`)
    expect((await push(exclude('a'), files)).status).toBe(200)
    const { json } = await platform.request('GET', '/experiments/patterns')
    expect(json.variants).toHaveLength(2)
    expect(await push(exclude('c'), files)).toMatchObject({
      status: 400,
      json: { message: '`variants.exclude[0].prompt`: unknown prompt "c"; known: a, b' },
    })
  })
})

describe('400 invalid_argument', () => {
  const refusal = async (yaml: string, files: VersionFile[]) => {
    const { status, json } = await push(yaml, files)
    expect(status, json.message).toBe(400)
    return String(json.message)
  }

  test('for a pattern without a folder in the package', async () => {
    const files = [await stageFolder('other/a', harbor())]
    expect(await refusal(definition('none'), files)).toContain('the package has no task folder tasks/*')
  })

  test('for two folders with one name', async () => {
    const files = [await stageFolder('x/same', harbor('X.')), await stageFolder('y/same', harbor('Y.'))]
    const yaml = definition('twice').replace('tasks/*', '[x/*, y/*]')
    expect(await refusal(yaml, files)).toContain('x/same and y/same are both called same')
  })

  test('for a name that the definition uses already', async () => {
    const yaml = definition('clash', 'prompts: [{id: a, text: Do it.}]\n')
    expect(await refusal(yaml, [await stageFolder('tasks/a', harbor())])).toContain('duplicate id "a"')
  })

  test('for folders that cannot run, each with its reason', async () => {
    const { 'instruction.md': _, ...silent } = harbor()
    const files = [
      await stageFolder('tasks/silent', silent),
      await stageFolder('tasks/empty', { 'README.md': 'Nothing.' }),
      await stageFolder('tasks/imaged', { ...harbor(), 'task.toml': '[environment]\ndocker_image = "no image!"\n' }),
      await stageFolder('tasks/fine', harbor()),
    ]
    const message = await refusal(definition('unusable'), files)
    expect(message).toContain('tasks/silent: it has no instruction.md')
    expect(message).toContain('tasks/empty: it has no task.toml and no task.yaml')
    expect(message).toContain('tasks/imaged: `environment.image` must be an image such as')
    expect(message).not.toContain('tasks/fine')
    expect(message).toContain('move the folders that cannot run elsewhere, or name only the others, and push again')
  })

  test('for a tar that is damaged, leads out of its folder or writes through its own links', async () => {
    const link = (name: string, to: string) => ({ name, type: '2' as const, link: to })
    const entries = Object.entries(harbor()).map(([name, content]) => ({ name, content }))
    const files = [
      await stage(Buffer.from('this is no tar'), 'tasks/damaged'),
      await stage(Buffer.from(writeTar([...entries, { name: '../out.txt', content: 'x' }])), 'tasks/leaves'),
      await stage(Buffer.from(writeTar([...entries, link('a', folder), link('a/b', 'x')])), 'tasks/through'),
    ]
    const message = await refusal(definition('hostile'), files)
    expect(message).toContain('tasks/through: it cannot be unpacked: a/b leads out of the package')
    expect(await readdir(folder)).not.toContain('b')
    expect(message).toContain('tasks/damaged: ')
    expect(message).toContain('tasks/leaves: it cannot be unpacked: ../out.txt leads out of the package')
  })

  test.each(['/tasks/*', '../tasks', 'tasks/*/x', 'tasks//x', ''])('for the pattern %j', async (pattern) => {
    expect(await refusal(definition('bad').replace('tasks/*', JSON.stringify(pattern)), [])).toMatch(
      /^`tasks` must be /,
    )
  })
})
