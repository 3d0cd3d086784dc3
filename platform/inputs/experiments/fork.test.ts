import { afterAll, expect, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { limits } from '#contract/wire/limit.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { rewriteIdentity } from './rewrite-identity.ts'
import { stageBlob } from './stage-blob.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const fork = (id: string, body?: unknown) =>
  platform.request('POST', `/experiments/${id}/fork`, body === undefined ? {} : { body })
const yamlOf = async (id: string) => (await platform.request('GET', `/experiments/${id}/yaml`)).text

test('a fork without a body is <id>-v2 named (V2), with only id and name rewritten, and the source is unchanged', async () => {
  const yaml = `# why we ask\n${twoByTwo('source')}`
  const pushed = await platform.request('POST', '/experiments', { yaml })
  const { status, json } = await fork('source')
  expect(status).toBe(201)
  expect(json).toMatchObject({
    experimentId: 'source-v2',
    name: 'Two by two (V2)',
    url: 'https://assay.example/experiments/source-v2',
    dataSchema: 'session_data_v1',
    sourceExperimentId: 'source',
    sourceExperimentFingerprint: pushed.json.fingerprint,
  })
  const forked = await yamlOf('source-v2')
  expect(forked).toBe(
    yaml.replace('id: source', 'id: source-v2').replace('name: Two by two', 'name: "Two by two (V2)"'),
  )
  expect(await yamlOf('source')).toBe(yaml)
  const copy = (await platform.request('GET', '/experiments/source-v2')).json
  expect(copy).toMatchObject({ fingerprint: json.experimentFingerprint, ordinal: 1, runCount: 0 })
})

test('a fork appends a counter while <id>-v2 is in use, even when ten forks run at once', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('popular') })
  const answers = await Promise.all(Array.from({ length: 10 }, () => fork('popular')))
  const ids = answers.map(({ json }) => json.experimentId).sort()
  const counted = Array.from({ length: 9 }, (_, index) => `popular-v2-${index + 2}`)
  expect(ids).toEqual(['popular-v2', ...counted].sort())
})

test('a fork uses the given id and name; 409 for an id in use, and nothing is written', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('original') })
  const { json } = await fork('original', { new_experiment_id: 'my-own', new_name: 'Mine: "really"' })
  expect(json).toMatchObject({ experimentId: 'my-own', name: 'Mine: "really"' })
  const taken = await fork('original', { newExperimentId: 'my-own' })
  expect([taken.status, taken.json.error]).toEqual([409, 'already_exists'])
  expect((await platform.request('GET', '/experiments/my-own/versions')).json.versions).toHaveLength(1)
})

test('400 invalid_argument for a fork id that is not kebab-case, 404 not_found for an unknown source', async () => {
  await platform.request('POST', '/experiments', { yaml: twoByTwo('checked') })
  expect((await fork('checked', { newExperimentId: 'Not Kebab' })).json.error).toBe('invalid_argument')
  expect((await fork('nobody')).json.error).toBe('not_found')
})

test('a fork contains the package of the latest version, so it can run', async () => {
  const staged = await stageBlob(platform.services, platform.organization.id, Buffer.from('tar'))
  const yaml = twoByTwo('with-package', 'files: [{dest: a.sh, source: ./a.sh}]')
  const versionFiles = [{ dest: 'a.sh', source: './a.sh', tarSha256: staged.tarSha256, sizeBytes: 3 }]
  await platform.request('POST', '/experiments', {
    body: { experimentYaml: yaml, replaceVersionFiles: true, versionFiles },
  })
  await fork('with-package')
  const { json } = await platform.request('GET', '/experiments/with-package-v2')
  expect(json.dependencies).toMatchObject([{ source: './a.sh', packaged: true }])
  expect((await platform.request('POST', '/experiments/with-package-v2/runs')).status).toBe(202)
})

test('YAML written as one flow mapping can be forked', () => {
  const flow = '{id: flow, name: Flow, agents: [{id: a, command: [x]}]}'
  const rewritten = rewriteIdentity(flow, { id: 'flow-v2', name: 'Flow (V2)' })
  expect(rewritten).toContain('flow-v2')
  expect(rewritten).toContain('Flow (V2)')
  expect(rewritten).toContain('command')
})

test('a fork does not rewrite an id inside a list or a text block', () => {
  const yaml = `id: outer\nname: >\n  Folded\nagents:\n  - id: a\n    command: [x]\nprompts:\n  - id: p\n    text: |\n      id: inner\n`
  const rewritten = rewriteIdentity(yaml, { id: 'outer-v2', name: 'New' })
  expect(rewritten).toContain('id: inner')
  expect(rewritten).toContain('outer-v2')
  expect(rewritten).not.toContain('Folded')
})

test.each([
  ['a 100-character id', `a${'-b'.repeat(49)}c`, 'Long id'],
  ['a 200-character name', 'long-name', 'n'.repeat(200)],
  ['a 200-character name that ends in pairs of code units', 'long-emoji-name', `n${'😀'.repeat(99)}x`],
])('a fork of an experiment with %s shortens it', async (_, id, name) => {
  const yaml = twoByTwo(id).replace('Two by two', name)
  expect((await platform.request('POST', '/experiments', { yaml })).status).toBe(200)
  const forks = [await fork(id, {}), await fork(id, {})]
  expect(forks.map(({ status }) => status)).toEqual([201, 201])
  for (const { json } of forks) {
    expect(json.experimentId.length).toBeLessThanOrEqual(100)
    expect(json.name).toMatch(/ \(V2\)$/)
    expect(json.name.length).toBeLessThanOrEqual(200)
    expect((await platform.request('GET', `/experiments/${json.experimentId}`)).json.name).toBe(json.name)
  }
})

test('an experiment with the largest YAML that a push accepts can be forked', async () => {
  const start = twoByTwo('large', '# ')
  const yaml = start + 'x'.repeat(limits.yamlBytes - start.length)
  expect((await platform.request('POST', '/experiments', { yaml })).status).toBe(200)
  expect((await fork('large', {})).status).toBe(201)
})

test.each([
  ['a flow mapping with quoted keys', '{"id": "ID", "name": "N", "agents": [{"id": "a", "command": ["x"]}]}'],
  ['an anchored id', 'id: &i ID\nname: N\nagents: [{id: *i, command: [x]}]'],
  ['a folded name', 'name: >-\n  N\n  M\nid: ID\nagents: [{id: a, command: [x]}]'],
  ['explicit keys', '? id\n: ID\n? name\n: N\nagents: [{id: a, command: [x]}]'],
  ['a document marker and Windows line ends', '---\r\nid: ID\r\nname: N\r\nagents: [{id: a, command: [x]}]\r\n'],
  ['tags', 'id: !!str ID\nname: !!str 7\nagents: [{id: a, command: [x]}]'],
])('YAML written with %s can be forked', async (title, text) => {
  const id = title.replaceAll(' ', '-').toLowerCase()
  expect((await platform.request('POST', '/experiments', { yaml: text.replace('ID', id) })).status).toBe(200)
  const { status, json } = await fork(id, {})
  expect([status, json.experimentId]).toEqual([201, `${id}-v2`])
})
