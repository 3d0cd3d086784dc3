import { afterAll, describe, expect, test } from 'vitest'

import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { stageBlob } from './stage-blob.ts'
import { parseDefinitionApart } from './parse-definition-apart.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

const push = (yaml: string) => platform.request('POST', '/experiments', { yaml })

describe('push an experiment', () => {
  test('a push of raw YAML registers v1 and returns its fingerprint, creator and counts', async () => {
    const { status, json } = await push(twoByTwo('push-raw'))
    expect(status).toBe(200)
    expect(json).toMatchObject({ experimentId: 'push-raw', ordinal: 1, runCount: 0, created: true })
    expect(json.fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(json.creator.email).toBe('person1@lab.example')
  })

  test('a push of the same definition in another layout creates no version', async () => {
    const first = await push(twoByTwo('push-again'))
    const second = await push(`# a comment\n${twoByTwo('push-again')}`)
    expect(second.json).toMatchObject({ fingerprint: first.json.fingerprint, ordinal: 1, created: false })
    const { text } = await platform.request('GET', '/experiments/push-again/yaml')
    expect(text).toContain('# a comment')
  })

  test('a push of an older definition keeps its ordinal and makes it the latest', async () => {
    await push(twoByTwo('ordinals'))
    const second = await push(twoByTwo('ordinals', 'description: second'))
    const again = await push(twoByTwo('ordinals'))
    expect(second.json.ordinal).toBe(2)
    expect(again.json.ordinal).toBe(1)
    const { json } = await platform.request('GET', '/experiments/ordinals/versions')
    expect(json.versions.map((version: { ordinal: number }) => version.ordinal)).toEqual([1, 2])
    expect((await platform.request('GET', '/experiments/ordinals')).json.ordinal).toBe(1)
  })

  test('a version keeps its message until a push of the same content sends another, and no message changes a fingerprint', async () => {
    const send = (message?: string) =>
      platform.request('POST', '/experiments', { body: { experimentYaml: twoByTwo('messages'), message } })
    const first = await send('  Quote fields again ')
    expect(first.json).toMatchObject({ ordinal: 1, message: 'Quote fields again' })
    for (const [sent, kept] of [
      [undefined, 'Quote fields again'],
      [' ', 'Quote fields again'],
      ['Second\n\nthought', 'Second\n\nthought'],
    ] as const) {
      expect((await send(sent)).json).toMatchObject({ fingerprint: first.json.fingerprint, message: kept })
      const { json } = await platform.request('GET', '/experiments/messages/versions')
      expect(json.versions).toMatchObject([{ message: kept }])
    }
    expect((await send('x'.repeat(2001))).status).toBe(400)
    expect((await push(twoByTwo('silent'))).json).not.toHaveProperty('message')
  })

  test('twenty concurrent pushes of two definitions create two versions with ordinals 1 and 2', async () => {
    const yamls = Array.from({ length: 20 }, (_, index) => twoByTwo('at-once', `description: number ${index % 2}`))
    const answers = await Promise.all(yamls.map(push))
    expect(answers.map(({ status }) => status)).toEqual(yamls.map(() => 200))
    const { json } = await platform.request('GET', '/experiments/at-once/versions')
    expect(json.versions.map((version: { ordinal: number }) => version.ordinal).sort()).toEqual([1, 2])
    expect((await platform.request('GET', '/experiments/at-once')).json.versionCount).toBe(2)
  })

  test('400 invalid_argument for a push with an empty body', async () => {
    for (const request of [{ yaml: '' }, { yaml: ' \n' }, {}]) {
      const { status, json } = await platform.request('POST', '/experiments', request)
      expect([status, json.error]).toEqual([400, 'invalid_argument'])
    }
  })

  test('400 invalid_argument for 2 kB of [[[[, and the platform stays up', async () => {
    const { status, json } = await push('['.repeat(2048))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await platform.request('GET', '/whoami')).status).toBe(200)
  })

  test('400 invalid_argument for YAML whose aliases expand to billions of values', async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(', ')}]`,
    )
    const { status, json } = await push(`l0: &l0 [x]\n${levels.join('\n')}\n`)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('a YAML syntax error says what to do, on the line of the mistake', async () => {
    const { status, json } = await push('id: a\ntags: [x, y\nname: A\n')
    expect(status).toBe(400)
    expect(json.message).toBe('Invalid YAML on line 2: This [ is never closed. Add ] at the end of the list')
    expect(json.issues).toEqual([
      { path: '', message: 'This [ is never closed. Add ] at the end of the list', line: 2, column: 7 },
    ])
  })

  test('long YAML is read in another process, with the same refusals', async () => {
    const comment = `# ${'x'.repeat(100_000)}\n`
    for (const yaml of [
      'id: [a',
      'id: a\nname: a\nagents: 3\n',
      `id: a\nname: a\nagents: [{ id: b, command: [x] }]\n`,
    ]) {
      const parsed = (text: string) => parseDefinitionApart('', text).catch((error: unknown) => error)
      const [short, long] = [await parsed(yaml), await parsed(`${yaml}\n${comment}`)]
      expect(long).toEqual(short)
    }
  })

  test('a YAML syntax error reports its line', async () => {
    const { json } = await push('id: a\nname: [unclosed\nagents: 3\n')
    expect(json.error).toBe('invalid_argument')
    expect(json.issues[0].line).toBeGreaterThan(1)
  })

  test('an unknown field, a duplicate id and an unknown reference are each reported with their path', async () => {
    const unknownField = await push(twoByTwo('faulty', 'colour: red'))
    expect(unknownField.json.issues).toEqual([{ path: 'colour', message: 'unknown field "colour"' }])
    const duplicate = await push(twoByTwo('faulty').replace('id: hasty', 'id: careful'))
    expect(duplicate.json.issues[0].path).toBe('agents.1.id')
    const reference = await push(twoByTwo('faulty', 'variants: {exclude: [{model: gpt-9}]}'))
    expect(reference.json.issues[0]).toMatchObject({ path: 'variants.exclude.0.model' })
  })

  test.each([
    ['NUL behind an escape', twoByTwo('escaped').replace('name: Two by two', 'name: "a\\0b"')],
    ['half a surrogate pair behind an escape', twoByTwo('escaped').replace('name: Two by two', 'name: "a\\uD800b"')],
    ['a list of four hundred thousand values', `id: long\nname: x\nmodels: [${'1,'.repeat(400_000)}1]`],
    ['the same mode twice', twoByTwo('escaped').replace('- id: careful', '- id: careful\n    modes: [m, m]')],
    [
      'more comparisons than one push may need',
      twoByTwo(
        'costly',
        `products: [${Array.from({ length: 30_000 }, (_, index) => `p${index}`).join(', ')}]
variants: {include: [${'{model: sonnet-4.5},'.repeat(1999)}]}`,
      ),
    ],
  ])('400 invalid_argument for a definition with %s', async (_, yaml) => {
    const { status, json } = await push(yaml)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('400 invalid_argument, not internal, for text that the database cannot store', async () => {
    const { status } = await platform.request('POST', '/experiments', { body: { experimentYaml: 'a\0b' } })
    expect(status).toBe(400)
  })
})

describe('packages', () => {
  const needsFile = (id: string) => twoByTwo(id, 'files: [{dest: agent.sh, source: ./agent.sh}]')
  const entry = (tarSha256: string) => ({
    dest: 'agent.sh',
    tar_sha256: tarSha256,
    size_bytes: 3,
    source: './agent.sh',
  })

  test('400 invalid_argument for a raw push with dependencies when no stored version matches it', async () => {
    const { status, json } = await push(needsFile('raw-with-files'))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await platform.request('GET', '/experiments/raw-with-files')).status).toBe(404)
  })

  test('a hash in upper-case hex names the same blob and the same version', async () => {
    const { tarSha256 } = await stageBlob(platform.services, platform.organization.id, Buffer.from('hex'))
    const pushWith = (hash: string) => {
      const body = { experiment_yaml: needsFile('hex'), replace_version_files: true, version_files: [entry(hash)] }
      return platform.request('POST', '/experiments', { body })
    }
    const upper = await pushWith(tarSha256.toUpperCase())
    expect(upper.status).toBe(200)
    expect((await pushWith(tarSha256)).json).toMatchObject({ fingerprint: upper.json.fingerprint, created: false })
  })

  test('a push stores a package of staged blobs, and a raw push of the same YAML then returns the same version', async () => {
    const staged = await stageBlob(platform.services, platform.organization.id, Buffer.from('tar'))
    const body = {
      experiment_yaml: needsFile('packaged'),
      replace_version_files: true,
      version_files: [entry(staged.tarSha256)],
    }
    const pushed = await platform.request('POST', '/experiments', { body })
    expect(pushed.status).toBe(200)
    const again = await push(needsFile('packaged'))
    expect(again.json).toMatchObject({ fingerprint: pushed.json.fingerprint, created: false })
  })

  test('the fingerprint of a version covers its package', async () => {
    const one = await stageBlob(platform.services, platform.organization.id, Buffer.from('one'))
    const two = await stageBlob(platform.services, platform.organization.id, Buffer.from('two'))
    const pushWith = (sha256: string) =>
      platform.request('POST', '/experiments', {
        body: { experimentYaml: needsFile('two-packages'), replaceVersionFiles: true, versionFiles: [entry(sha256)] },
      })
    const first = await pushWith(one.tarSha256)
    const second = await pushWith(two.tarSha256)
    expect(second.json.fingerprint).not.toBe(first.json.fingerprint)
    expect(second.json.ordinal).toBe(2)
  })

  test('replace_version_files with an empty list removes the package from the version', async () => {
    const staged = await stageBlob(platform.services, platform.organization.id, Buffer.from('tar'))
    const pushWith = async (version_files: object[]) => {
      const body = { experiment_yaml: needsFile('emptied'), replace_version_files: true, version_files }
      return (await platform.request('POST', '/experiments', { body })).json
    }
    const packaged = await pushWith([entry(staged.tarSha256)])
    const emptied = await pushWith([])
    expect(emptied).toMatchObject({ created: true, ordinal: 2 })
    expect(emptied.fingerprint).not.toBe(packaged.fingerprint)
    const { dependencies } = (await platform.request('GET', '/experiments/emptied')).json
    expect(dependencies).toMatchObject([{ packaged: false }])
  })

  test('400 invalid_argument for unstaged blobs, and for version_files without replace_version_files', async () => {
    const version_files = [entry('a'.repeat(64))]
    const unstaged = { experiment_yaml: needsFile('unstaged'), replace_version_files: true, version_files }
    const unasked = { experiment_yaml: needsFile('unstaged'), version_files }
    for (const body of [unstaged, unasked]) {
      const { status, json } = await platform.request('POST', '/experiments', { body })
      expect([status, json.error]).toEqual([400, 'invalid_argument'])
    }
  })

  test('400 invalid_argument for a size_bytes that differs from the staged blob, and nothing is stored', async () => {
    const staged = await stageBlob(platform.services, platform.organization.id, Buffer.from('four'))
    const push = (size_bytes: number) => {
      const version_files = [{ ...entry(staged.tarSha256), size_bytes }]
      const body = { experiment_yaml: needsFile('sized'), replace_version_files: true, version_files }
      return platform.request('POST', '/experiments', { body })
    }
    for (const size of [0, 3, 2 ** 31]) {
      const { status, json } = await push(size)
      expect([status, json.error]).toEqual([400, 'invalid_argument'])
      expect(json.message).toContain(`agent.sh declares ${size} bytes, but its staged blob has 4`)
    }
    expect((await platform.request('GET', '/experiments/sized')).status).toBe(404)
    expect((await push(4)).status).toBe(200)
  })

  test('a push cannot use a blob that another organization staged', async () => {
    const { createOrganization } = await import('#platform/people/identity/create-organization.ts')
    const other = await createOrganization(platform.services, { slug: 'other-lab' })
    const staged = await stageBlob(platform.services, other.id, Buffer.from('theirs'))
    const body = {
      experiment_yaml: needsFile('theirs'),
      replace_version_files: true,
      version_files: [entry(staged.tarSha256)],
    }
    expect((await platform.request('POST', '/experiments', { body })).status).toBe(400)
  })
})

describe('list and read experiments', () => {
  const ids = async (query: string) => {
    const { json } = await platform.request('GET', `/experiments${query}`)
    return json.experiments.map((experiment: { id: string }) => experiment.id)
  }

  test('experiments are listed newest first, and search matches the name or id in any case', async () => {
    await push(twoByTwo('list-a').replace('Two by two', '100% Zebra'))
    await push(twoByTwo('list-b').replace('Two by two', 'Other'))
    expect(await ids('?search=LIST-')).toEqual(['list-b', 'list-a'])
    expect(await ids('?search=100%25%20zeb')).toEqual(['list-a'])
    expect(await ids('?search=list_')).toEqual([])
  })

  test('the list combines filters of one axis with OR and of different axes with AND, repeated or comma-separated', async () => {
    await push(twoByTwo('axes-a').replaceAll('careful', 'alpha').replace('sonnet-4.5', 'm-one'))
    await push(twoByTwo('axes-b').replaceAll('careful', 'beta').replace('sonnet-4.5', 'm-two'))
    expect(await ids('?agent=alpha&agent=beta')).toEqual(['axes-b', 'axes-a'])
    expect(await ids('?agent=alpha,beta&model=m-two')).toEqual(['axes-b'])
    expect(await ids('?agent=alpha&model=m-two')).toEqual([])
  })

  test('the owner filter accepts an email or an id, and updated_since is an alias of since', async () => {
    const key = await platform.newKey({ email: 'Owner@Lab.example' })
    await platform.request('POST', '/experiments', { yaml: twoByTwo('owned'), key })
    const { json } = await platform.request('GET', '/whoami', { key })
    expect(await ids('?owner=owner@lab.example')).toEqual(['owned'])
    expect(await ids(`?owner=${json.actor.id}`)).toEqual(['owned'])
    const [newest] = (await platform.request('GET', '/experiments?limit=1')).json.experiments
    expect(await ids(`?since=${newest.updatedAt}`)).toEqual([newest.id])
    expect(await ids('?updated_since=2999-01-01T00:00:00Z')).toEqual([])
    expect((await platform.request('GET', '/experiments?since=yesterday')).status).toBe(400)
  })

  test('the pages of the experiment list neither repeat nor skip an experiment', async () => {
    const all = await ids('?limit=1000')
    const paged: string[] = []
    let token = ''
    do {
      const { json } = await platform.request('GET', `/experiments?limit=3&page_token=${token}`)
      paged.push(...json.experiments.map((experiment: { id: string }) => experiment.id))
      token = json.nextPageToken ?? ''
    } while (token && paged.length < 1000)
    expect(paged).toEqual(all)
    expect((await platform.request('GET', '/experiments?page_token=nonsense')).status).toBe(400)
  })

  test('an experiment returns its axes, variants and resources; an unknown one is not_found', async () => {
    await push(twoByTwo('read-me'))
    const { json } = await platform.request('GET', '/experiments/read-me')
    expect(json.axes).toMatchObject({
      agents: ['careful', 'hasty'],
      models: ['sonnet-4.5'],
      prompts: ['terse', 'wordy'],
    })
    expect(json.variants.map((variant: { variantId: string }) => variant.variantId)).toEqual([
      'careful~sonnet-4.5~terse',
      'careful~sonnet-4.5~wordy',
      'hasty~sonnet-4.5~terse',
      'hasty~sonnet-4.5~wordy',
    ])
    expect(json.resources).toEqual([])
    for (const path of ['/experiments/nobody', '/experiments/nobody/versions', '/experiments/nobody/yaml']) {
      const missing = await platform.request('GET', path)
      expect([missing.status, missing.json.error]).toEqual([404, 'not_found'])
    }
  })

  test('an experiment lists the secrets it refers to and the parts that need each of them', async () => {
    await push(twoByTwo('needs-a-key', 'flags: [{id: search, env: {SEARCH_KEY: "assay://secrets/search"}}]'))
    expect((await platform.request('GET', '/experiments/needs-a-key')).json.secretReferences).toEqual([
      { reference: 'assay://secrets/search', axis: 'flag', id: 'search' },
    ])
    await push(twoByTwo('needs-none'))
    expect((await platform.request('GET', '/experiments/needs-none')).json.secretReferences).toEqual([])
  })

  test('the YAML of a version is the text as pushed', async () => {
    const yaml = `# kept\n${twoByTwo('download')}`
    const { json } = await push(yaml)
    await push(twoByTwo('download', 'description: newer'))
    const response = await platform.request('GET', `/experiments/download/yaml?version=${json.fingerprint}`)
    expect(response.text).toBe(yaml)
    expect(response.headers['content-type']).toBe('text/yaml; charset=utf-8')
    expect((await platform.request('GET', '/experiments/download/yaml?version=nope')).status).toBe(404)
  })
})
