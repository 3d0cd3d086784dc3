import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { load } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import type { Definition } from '#contract/definition.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { withTasksApart } from './read-tasks-apart.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { writeFolder } from '#platform/program/testing/write-folder.ts'

let folder: string
const platform = await openTestPlatform()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assay-tasks-'))
  for (const id of ['sort-lines', 'count-words']) await writeFolder(join(folder, 'set', id), task(id))
  const { 'solution/solve.sh': _, ...unsolved } = task('open-question')
  await writeFolder(join(folder, 'set', 'open-question'), unsolved)
  await writeFolder(join(folder, 'set', 'two-steps'), { ...task('two-steps'), 'task.toml': '[[steps]]\nname = "a"\n' })
})
afterAll(async () => {
  await platform.close()
  await rm(folder, { recursive: true, force: true })
})

const task = (id: string) => ({
  'task.toml': `[agent]\ntimeout_sec = 60\n[environment]\ndocker_image = "bench/${id}:1"\nmcp_servers = [{name = "files", url = "http://files:80"}]\n`,
  'instruction.md': `Do ${id}.\n`,
  'tests/test.sh': 'echo 1 > /logs/verifier/reward.txt\n',
  'solution/solve.sh': `touch ${id}\n`,
})

const run = (experiment: string, input: object = {}) =>
  runCommand(
    platform.services,
    'import-tasks',
    {
      paths: [join(folder, 'set')],
      org: platform.organization.slug,
      experiment,
      ...input,
    },
    () => {},
  )

const yamlOf = async (id: string) => (await platform.request('GET', `/experiments/${id}/yaml`)).text
const definitionOf = async (id: string) => load(await yamlOf(id)) as Definition

test('the descriptions of a Terminal-Bench task become prompts of one task, which only agents with a chance run', async () => {
  const place = join(folder, 'worded', 'sort')
  const descriptions = 'descriptions:\n  - {key: base, description: Sort.}\n  - {key: hard, description: Sort it.}\n'
  await writeFolder(place, { 'task.yaml': descriptions, Dockerfile: 'FROM a\n', 'run-tests.sh': 'true\n' })
  await run('worded', {
    paths: [join(folder, 'worded')],
    image: 'bench/{task}:1',
    oracle: true,
  })
  const { prompts, environments } = await definitionOf('worded')
  expect(environments?.map(({ id, image }) => [id, image])).toEqual([['sort', 'bench/sort:1']])
  expect(prompts?.map(({ id, text, task, environment }) => [id, text, task, environment])).toEqual([
    ['sort', 'Sort.', 'sort', 'sort'],
    ['sort.hard', 'Sort it.', 'sort', 'sort'],
  ])
  const { json } = await platform.request('GET', '/experiments/worded')
  expect(json.promptTasks).toEqual(['sort', 'sort.hard'].map((prompt) => ({ prompt, task: 'sort' })))
})

test('task folders become an experiment that can run, and the command says what it could not carry over', async () => {
  expect(await run('bench')).toEqual([
    'Imported 3 tasks into bench; 2 with a reference solution. Saved as v1',
    'Its MCP servers are not offered to the agent (count-words, open-question, sort-lines)',
    `Skipped ${join(folder, 'set/two-steps')}: it has no folder steps/a`,
  ])
  const { environments, prompts, agents } = await definitionOf('bench')
  expect(agents).toEqual([{ id: 'oracle', command: ['sh', '/assay-solution/oracle.sh'] }])
  expect(environments?.[0]).toEqual({ id: 'count-words', image: 'bench/count-words:1', network: true })
  expect(prompts?.[0]).toMatchObject({
    id: 'count-words',
    text: 'Do count-words.\n',
    notes: ['Its MCP servers are not offered to the agent'],
    environment: 'count-words',
    files: [{ dest: '.assay-solution', source: 'tasks/count-words/solution', agents: ['oracle'] }],
    tests: [{ name: 'count-words', timeoutSeconds: 600 }],
    limits: { maxTimeSeconds: 60 },
  })
  const { json } = await platform.request('GET', '/experiments/bench')
  expect(json.variants.map(({ variantId }: { variantId: string }) => variantId)).toEqual([
    'oracle~count-words~count-words',
    'oracle~sort-lines~sort-lines',
  ])
  expect(json.taskNotes).toEqual([
    { text: 'Its MCP servers are not offered to the agent', prompts: ['count-words', 'open-question', 'sort-lines'] },
  ])
  expect(json.dependencies).toHaveLength(5)
  expect(json.dependencies.every(({ packaged }: { packaged: boolean }) => packaged)).toBe(true)
  expect((await platform.request('POST', '/experiments/bench/runs')).status).toBe(202)
})

test('a second import of the same tasks changes nothing, and one of changed tasks is a new version', async () => {
  await run('again')
  expect((await run('again'))[0]).toContain('v1 already has exactly these tasks')
  const changed = join(folder, 'changed')
  await writeFolder(join(changed, 'sort-lines'), { ...task('sort-lines'), 'tests/test.sh': 'echo 0\n' })
  expect((await run('again', { paths: [changed] }))[0]).toContain('Imported 1 task into again')
  expect((await platform.request('GET', '/experiments/again/versions')).json.versions).toHaveLength(2)
})

test('an agent that a person added stays when the tasks are imported again', async () => {
  await run('mine', { nothing: true })
  const before = await yamlOf('mine')
  const added = before.replace('agents:\n', 'agents:\n  - {id: claude, preset: claude-code}\n')
  const versionFiles = (await platform.request('GET', '/experiments/mine')).json.dependencies
  expect(versionFiles).toHaveLength(5)
  const definition = load(added) as Definition
  expect(definition.agents.map(({ id }) => id)).toEqual(['claude', 'oracle', 'nothing'])
  await platform.request('POST', '/experiments', {
    body: { experimentYaml: added, replaceVersionFiles: true, versionFiles: [] },
  })
  await run('mine', { nothing: true })
  expect((await definitionOf('mine')).agents.map(({ id }) => id)).toEqual(['oracle', 'nothing', 'claude'])
})

test('a task without an image is built from its Dockerfile and the files beside it', async () => {
  const place = join(folder, 'built', 'from-source')
  await writeFolder(place, {
    ...task('from-source'),
    'task.toml': '',
    'environment/Dockerfile': 'FROM alpine:3\n',
    'environment/data/words.txt': 'a b\n',
  })
  await run('built', { paths: [place] })
  expect((await definitionOf('built')).environments).toEqual([
    {
      id: 'from-source',
      build: {
        context: [
          { dest: 'Dockerfile', source: 'tasks/from-source/build/Dockerfile' },
          { dest: 'data', source: 'tasks/from-source/build/data' },
        ],
      },
      network: true,
    },
  ])
})

test('--image names the image of every task, and --nothing adds an agent that does nothing', async () => {
  await run('named', { image: 'registry.example.com/bench/{task}:2', nothing: true })
  const { environments, agents } = await definitionOf('named')
  expect(environments?.map(({ image }) => image)).toEqual(
    ['count-words', 'open-question', 'sort-lines'].map((id) => `registry.example.com/bench/${id}:2`),
  )
  expect(agents.map(({ id }) => id)).toEqual(['oracle', 'nothing'])
})

test('the problems of a file become tasks, and a file that is none is named', async () => {
  const problem = {
    task_id: 'Made/0',
    prompt: 'def one():\n',
    entry_point: 'one',
    canonical_solution: '    return 1\n',
    test: 'def check(candidate):\n    assert candidate() == 1\n',
  }
  const file = join(folder, 'problems.jsonl')
  await writeFile(file, `${JSON.stringify(problem)}\n{}\n`)
  const missing = join(folder, 'missing.jsonl')
  expect(await run('problems', { paths: [file, missing] })).toEqual([
    'Imported 1 task into problems; 1 with a reference solution. Saved as v1',
    `Skipped ${file}, task 2: it has other fields than a task`,
    `Skipped ${missing}: it does not exist, or is neither a file nor a folder`,
  ])
  const { environments, prompts } = await definitionOf('problems')
  expect(environments).toEqual([{ id: 'Made-0', image: 'python:3.13' }])
  expect(prompts?.[0]?.tests?.[0]).toMatchObject({ name: 'Made-0', report: { format: 'reward' } })
})

test('tasks without any solution have the agent that does nothing', async () => {
  await run('unsolved', { paths: [join(folder, 'set', 'open-question')] })
  expect((await definitionOf('unsolved')).agents.map(({ id }) => id)).toEqual(['nothing'])
})

describe('tasks that do not fit into the YAML of a definition', () => {
  const large = () => join(folder, 'large')
  beforeAll(async () => {
    const files = { ...task('large'), 'instruction.md': 'Do it again. '.repeat(15_000) }
    for (let index = 0; index < 6; index += 1) await writeFolder(join(large(), `task-${index}`), files)
    await writeFolder(join(large(), 'plain'), { ...task('plain'), 'tests/words.txt': 'a b\n' })
  })

  test('stay folders of its package, and have the same prompts, variants and files', async () => {
    expect((await run('large', { paths: [large()] }))[0]).toBe(
      'Imported 7 tasks into large; 7 with a reference solution. Saved as v1',
    )
    expect(await definitionOf('large')).toEqual({
      id: 'large',
      name: 'large',
      agents: [{ id: 'oracle', command: ['sh', '/assay-solution/oracle.sh'] }],
      tasks: 'tasks/*',
    })
    await run('small', { paths: [join(large(), 'plain')] })
    const plainOf = (id: string) => platform.request('GET', `/experiments/${id}/tasks/plain`)
    const [asFolder, asText] = [await plainOf('large'), await plainOf('small')]
    const { experimentFingerprint: _, ...expected } = asText.json
    expect(asFolder.json).toMatchObject(expected)
    expect((await run('large', { paths: [large()] }))[0]).toContain('v1 already has exactly these tasks')
    expect((await platform.request('POST', '/experiments/large/runs', { body: { mock: true } })).json).toMatchObject({
      variantCount: 7,
    })
  })

  test('are refused with --image, before their files are stored', async () => {
    const refusal = run('refused', { paths: [large()], image: 'bench/{task}:1' })
    await expect(refusal).rejects.toThrow(
      /^7 tasks make a definition of more than 1,000,000 bytes, the limit where one image is named for all\. Import fewer/,
    )
  })
})

test('a task whose files cannot be packed is skipped with the reason, and the others are imported', async () => {
  const spoiled = join(folder, 'spoiled')
  for (const id of ['good', 'huge', 'odd-name']) await writeFolder(join(spoiled, id), task(id))
  await truncate(join(spoiled, 'huge/tests/test.sh'), 2 ** 40)
  await writeFile(Buffer.concat([Buffer.from(`${spoiled}/odd-name/tests/`), Buffer.from([0xff])]), '')
  expect(await run('spoiled', { paths: [spoiled] })).toEqual([
    'Imported 1 task into spoiled; 1 with a reference solution. Saved as v1',
    'Its MCP servers are not offered to the agent (good)',
    `Skipped ${join(spoiled, 'huge')}: ${join(spoiled, 'huge/tests')} has more than 200 MB of files`,
    `Skipped ${join(spoiled, 'odd-name')}: ${join(spoiled, 'odd-name/tests')} has a name that is not UTF-8`,
  ])
  const { environments, prompts } = await definitionOf('spoiled')
  expect([environments, prompts].map((list) => list?.map(({ id }) => id))).toEqual([['good'], ['good']])
  const refused = run('only-spoiled', { paths: [join(spoiled, 'huge'), join(spoiled, 'odd-name')] })
  await expect(refused).rejects.toThrow(/^None of 2 tasks can be imported\. The first is .*more than 200 MB of files$/)
})

test('an import without tasks, or into an experiment of another origin, is refused', async () => {
  await expect(run('empty', { format: 'terminal-bench' })).rejects.toThrow('No task found below')
  const only = { paths: [join(folder, 'set', 'two-steps')] }
  await expect(run('empty', only)).rejects.toThrow('None of 1 task can be imported. The first is')
  await platform.request('POST', '/experiments', {
    yaml: 'id: other\nname: Other\nagents: [{id: a, command: [x]}]\nprompts: [{id: p, text: x}]\n',
  })
  await expect(run('other')).rejects.toThrow('Experiment "other" exists and was not imported from tasks')
})

test('a content process writes the definition of a benchmark, and the service gets no part of it but its text', async () => {
  const search = { paths: [join(folder, 'set')], shownFrom: null, formats: null, imageTemplate: null, isUpload: false }
  const wanted = { experimentId: 'apart', name: 'Apart', withNothing: true }
  await withTasksApart(search, async (source) => {
    const { tasks } = await source.list()
    expect(JSON.stringify(tasks)).not.toContain('Do sort-lines')
    const places = [...tasks.keys()]
    const definitionWith = async (as: 'packages' | 'folder', some = places) =>
      load((await source.definition({ tasks: some, as, wanted, previous: null })) ?? '') as Definition
    const { prompts, id } = await definitionWith('packages')
    expect([id, prompts?.map((prompt) => prompt.id)]).toEqual(['apart', tasks.map((task) => task.id)])
    expect((await definitionWith('packages', [1])).prompts?.map((prompt) => prompt.id)).toEqual([tasks[1]?.id])
    expect(await definitionWith('folder')).toMatchObject({ id: 'apart', tasks: 'tasks/*' })
  })
})
