import { afterAll, expect, test } from 'vitest'

import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { stageBlob } from './stage-blob.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const yamlOf = (id: string, { command = 'true', environment = 'alpine' } = {}) => `
id: ${id}
name: Tasks
agents: [{id: a, command: [x]}]
environments: [{id: alpine}, {id: debian}]
tests: [{name: shared, command: ["true"]}]
prompts:
  - {id: everywhere, text: Look., notes: [No network]}
  - id: one
    text: Look once.
    environment: ${environment}
    files: [{dest: input, source: ./one/input}]
    tests: [{name: own, command: ["${command}"]}]
  - id: two
    text: Look twice.
    notes: [No network, No GPU]
    environment: debian
    files: [{dest: input, source: ./two/input}]
    tests: [{name: own, command: ["true"]}]
`

async function push(yaml: string) {
  const staged = await stageBlob(platform.services, platform.organization.id, Buffer.from('tar'))
  const versionFiles = ['one', 'two'].map((task) => {
    return { dest: 'input', source: `./${task}/input`, tarSha256: staged.tarSha256, sizeBytes: 3 }
  })
  const body = { experimentYaml: yaml, replaceVersionFiles: true, versionFiles }
  return platform.request('POST', '/experiments', { body })
}

test('an experiment of tasks lists their variants, tests, notes and files, and so does its fork', async () => {
  expect((await push(yamlOf('tasks'))).status).toBe(200)
  const wanted = {
    testNames: ['shared', 'own'],
    taskNotes: [
      { text: 'No network', prompts: ['everywhere', 'two'] },
      { text: 'No GPU', prompts: ['two'] },
    ],
    dependencies: [
      { source: './one/input', dest: 'input', packaged: true },
      { source: './two/input', dest: 'input', packaged: true },
    ],
  }
  const { json } = await platform.request('GET', '/experiments/tasks')
  expect(json).toMatchObject(wanted)
  const ids = ['a~alpine~everywhere', 'a~alpine~one', 'a~debian~everywhere', 'a~debian~two']
  expect(json.variants.map(({ variantId }: { variantId: string }) => variantId)).toEqual(ids)
  await platform.request('POST', '/experiments/tasks/fork')
  expect((await platform.request('GET', '/experiments/tasks-v2')).json).toMatchObject({
    ...wanted,
    variants: json.variants,
  })
})

test('a change in the test of one prompt is a new version', async () => {
  const [first, same, changed] = [
    await push(yamlOf('versions')),
    await push(`# again\n${yamlOf('versions')}`),
    await push(yamlOf('versions', { command: 'false' })),
  ]
  expect(same.json).toMatchObject({ fingerprint: first.json.fingerprint, created: false })
  expect(changed.json).toMatchObject({ ordinal: 2, created: true })
})

test('400 invalid_argument for a prompt in an unknown environment, and for the file of a prompt that is not sent', async () => {
  const unknown = await push(yamlOf('unknown', { environment: 'alpin' }))
  expect([unknown.status, unknown.json.error]).toEqual([400, 'invalid_argument'])
  expect(JSON.stringify(unknown.json)).toContain('unknown environment \\"alpin\\"; known: alpine, debian')
  const raw = await platform.request('POST', '/experiments', { yaml: yamlOf('raw') })
  expect([raw.status, raw.json.error]).toEqual([400, 'invalid_argument'])
})

test('a submission of one prompt runs it only in its environment', async () => {
  await push(yamlOf('submitted'))
  const submit = (body: object) => platform.request('POST', '/experiments/submitted/runs', { body })
  expect((await submit({ prompt_ids: ['two'], mock: true })).json.variantIds).toEqual(['a~debian~two'])
  expect((await submit({ mock: true })).json.runCount).toBe(4)
})

test('the tasks of a version are listed with their environments, tests and limits, and found by any text', async () => {
  await push(yamlOf('listed'))
  const { json } = await platform.request('GET', '/experiments/listed/tasks')
  expect(json.total).toBe(3)
  expect(json.tasks[1]).toEqual({
    id: 'one',
    task: null,
    instruction: 'Look once.',
    environment: 'alpine',
    image: null,
    tests: 2,
    difficulty: null,
    tags: [],
    maxTimeSeconds: null,
  })
  const found = async (search: string) => {
    const list = await platform.request('GET', `/experiments/listed/tasks?search=${search}`)
    return list.json.tasks.map(({ id }: { id: string }) => id)
  }
  expect(await found('TWICE')).toEqual(['two'])
  expect(await found('own')).toEqual(['one', 'two'])
  expect(await found('nothing')).toEqual([])
})

test('a task has its whole instruction, its environments and what its runs get', async () => {
  await push(yamlOf('whole'))
  const { json } = await platform.request('GET', '/experiments/whole/tasks/two')
  expect(json).toMatchObject({
    id: 'two',
    instruction: 'Look twice.',
    environments: [{ id: 'debian', image: null, built: false, network: false, variables: [] }],
    tests: [{ name: 'shared' }, { name: 'own', command: ['true'], timeoutSeconds: null, report: null }],
    files: ['input'],
    notes: ['No network', 'No GPU'],
  })
  const everywhere = await platform.request('GET', '/experiments/whole/tasks/everywhere')
  expect(everywhere.json.environments).toHaveLength(2)
})

test('404 for a task, a version or an experiment that does not exist', async () => {
  await push(yamlOf('missing'))
  for (const path of ['missing/tasks/three', `missing/tasks?version=${'0'.repeat(64)}`, 'never/tasks'])
    expect((await platform.request('GET', `/experiments/${path}`)).status).toBe(404)
})
