import { afterAll, describe, expect, test } from 'vitest'

import { expectLinear } from '#tools/processor-time.ts'
import { allEndpoints } from '#contract/all-endpoints.ts'
import { limits } from '#contract/wire/limit.ts'
import { allRoutes } from './all-routes.ts'
import { buildHttp } from './build-http.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { removeMember } from '#platform/people/identity/remove-member.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
afterAll(() => platform.close())

test('every endpoint of the contract is served exactly once, and nothing else', () => {
  const served = allRoutes.map(({ endpoint }) => endpoint)
  expect(new Set(served)).toEqual(new Set(allEndpoints))
  expect(served).toHaveLength(allEndpoints.length)
})

test('only this machine and the named proxies may forward the address of a caller', async () => {
  const app = await buildHttp(platform.services, allRoutes, { logger: false, trustedProxies: ['10.1.0.0/16'] })
  app.get('/address', async ({ ip }) => ip)
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const addressFrom = async (remoteAddress: string) =>
    (await app.inject({ method: 'GET', url: '/address', remoteAddress, headers })).body
  expect(await addressFrom('127.0.0.1')).toBe('203.0.113.9')
  expect(await addressFrom('10.1.0.7')).toBe('203.0.113.9')
  expect(await addressFrom('10.2.0.7')).toBe('10.2.0.7')
  await app.close()
})

describe('authentication', () => {
  test('401 unauthenticated on every route without an API key', async () => {
    for (const { method, ...endpoint } of allEndpoints) {
      const path = endpoint.base + endpoint.path
      const { status, json } = await platform.request(method, path.replaceAll(/:\w+/g, 'x'), { key: '' })
      expect([path, status, json.error]).toEqual([path, 401, 'unauthenticated'])
    }
  })

  test('401 unauthenticated for cookies, basic credentials and unknown keys', async () => {
    const others: Record<string, string>[] = [
      { cookie: 'session=abc' },
      { authorization: 'Basic YTpi' },
      { authorization: 'Bearer assay_unknown' },
    ]
    for (const headers of others) {
      const { status, json } = await platform.request('GET', '/whoami', { key: '', headers })
      expect([status, json.error]).toEqual([401, 'unauthenticated'])
    }
  })

  test('an API key itself is stored nowhere', async () => {
    const { rows } = (await platform.services.db.execute('select * from api_keys')) as unknown as { rows: unknown[] }
    expect(JSON.stringify(rows)).not.toContain(platform.admin)
  })
})

describe('a refusal reveals nothing about the request', () => {
  const faults = [
    {},
    { headers: { 'content-type': 'application/json' }, yaml: '{' },
    { body: { value: 7, amountUsd: 'much' } },
    { body: { value: 'v', amountUsd: '25' } },
    { body: { value: 'v'.repeat(limits.bodyBytes) } },
  ]

  test('401 comes before a body is read, on every route', async () => {
    for (const { method, base, path: below } of allEndpoints.filter((each) => each.method !== 'GET'))
      for (const fault of faults.slice(0, 3)) {
        const path = base + below
        const { status } = await platform.request(method, path.replaceAll(/:\w+/g, 'x'), { ...fault, key: '' })
        expect([path, status]).toEqual([path, 401])
      }
  })

  const guarded = allRoutes.filter(({ guard }) => guard).map(({ endpoint }) => endpoint)

  test.each(guarded.map(({ method, base, path }) => ({ method, path: base + path })))(
    'the 403 of $method $path is the same for any body and query',
    async ({ method, path }) => {
      const key = await platform.newKey({ role: 'member', kind: 'organization' })
      const answers = await Promise.all(
        ['', '?period=never&page_size=x'].flatMap((query) =>
          faults.map(async (fault) => {
            const { status, json } = await platform.request(method, path.replace(/:\w+/, 'x') + query, {
              ...fault,
              key,
            })
            const { requestId: _, ...rest } = json
            return JSON.stringify([status, rest])
          }),
        ),
      )
      expect(answers[0]).toMatch(/^\[403,\{"error":"permission_denied"/)
      expect(new Set(answers).size).toBe(1)
    },
  )

  test('routes for admins and for people refuse other callers', () => {
    expect(allRoutes.filter(({ guard }) => guard).map(({ endpoint }) => endpoint.name)).toEqual([
      'credits.balance',
      'credits.reload',
      'payments.list',
      'payments.receipt',
      'budgets.list',
      'budgets.put',
      'budgets.delete',
      'runPolicy.put',
      'retention.put',
      'retention.preview',
      'modelProviders.get',
      'secrets.put',
      'secrets.delete',
      'labels.add',
      'labels.change',
      'labels.delete',
      'bulkActions.propose',
      'bulkActions.start',
      'bulkActions.stop',
      'imports.create',
      'imports.addFiles',
      'imports.preview',
      'imports.start',
      'imports.undo',
      'imports.delete',
      'reportComments.start',
      'reportComments.reply',
      'reportComments.resolve',
      'reportComments.decide',
      'reportComments.edit',
      'reportComments.delete',
      'reportPresence.announce',
      'savedViews.create',
      'savedViews.update',
      'savedViews.mark',
      'savedViews.delete',
      'schedules.create',
      'schedules.update',
      'schedules.start',
      'schedules.accept',
      'schedules.delete',
      'notifications.list',
      'notifications.read',
      'notifications.listRpc',
      'notifications.readRpc',
      'contextRecords.create',
      'contextVersions.restore',
      'contextSuggestions.decide',
      'apiKeys.listOwn',
      'apiKeys.createOwn',
      'apiKeys.approve',
      'apiKeys.rotateOwn',
      'apiKeys.revokeOwn',
      'apiKeys.list',
      'apiKeys.create',
      'apiKeys.rotate',
      'apiKeys.revoke',
      'members.changeRole',
      'members.remove',
      'members.leave',
      'invitations.list',
      'invitations.create',
      'invitations.revoke',
      'invitations.accept',
      'organization.rename',
      'identity.rename',
      'audit.list',
      'audit.export',
      'webhooks.list',
      'webhooks.create',
      'webhooks.update',
      'webhooks.delete',
      'webhooks.rotate',
      'webhooks.test',
      'webhooks.deliveries',
      'webhooks.delivery',
      'webhooks.sendAgain',
      'notificationSettings.get',
      'notificationSettings.change',
      'notificationSettings.sendConfirmation',
      'notificationSettings.confirm',
      'notificationSettings.restart',
      'mail.get',
      'mail.list',
      'mail.test',
      'mail.restart',
    ])
  })
})

describe('organization scope', () => {
  test('a key with several organizations must send org_id, except for whoami', async () => {
    await createOrganization(platform.services, { slug: 'second' })
    const key = await platform.newKey({ organizations: ['lab', 'second'] })
    const unscoped = await platform.request('GET', '/experiments', { key })
    expect([unscoped.status, unscoped.json.error]).toEqual([400, 'invalid_argument'])
    const who = await platform.request('GET', '/whoami', { key })
    expect(who.json.organizations.map(({ slug }: { slug: string }) => slug)).toEqual(['lab', 'second'])
    const [, second] = who.json.organizations
    await platform.request('POST', `/experiments?org_id=${second.id}`, { key, yaml: twoByTwo('in-second') })
    expect((await platform.request('GET', `/experiments?org_id=${second.id}`, { key })).json.experiments).toHaveLength(
      1,
    )
    expect((await platform.request('GET', '/experiments/in-second')).status).toBe(404)
  })

  test('403 permission_denied for an organization outside the key, whether it exists or not', async () => {
    const hidden = await createOrganization(platform.services, { slug: 'hidden' })
    const real = await platform.request('GET', `/experiments?org_id=${hidden.id}`)
    const unreal = await platform.request('GET', '/experiments?org_id=00000000-0000-4000-8000-000000000000')
    expect([real.status, real.json.error]).toEqual([403, 'permission_denied'])
    expect({ ...real.json, requestId: '' }).toEqual({ ...unreal.json, requestId: '' })
  })

  test('ids of organizations and people match in upper case too', async () => {
    const who = (await platform.request('GET', '/whoami')).json
    const [organization, person] = [who.organizations[0].id.toUpperCase(), who.actor.id.toUpperCase()]
    await platform.request('POST', '/experiments', { yaml: twoByTwo('of-a-person') })
    await platform.request('POST', '/experiments/of-a-person/runs', { body: { mock: true } })
    const owned = await platform.request('GET', `/experiments?org_id=${organization}&owner=${person}`)
    expect(owned.json.experiments.map(({ id }: { id: string }) => id)).toContain('of-a-person')
    expect((await platform.request('GET', `/runs?triggered_by=${person}`)).json.runs).not.toEqual([])
  })

  test('an org_id in a body is ignored: the scope comes from authentication', async () => {
    const hidden = await createOrganization(platform.services, { slug: 'body-target' })
    const body = { experiment_yaml: twoByTwo('scoped-by-key'), org_id: hidden.id }
    expect((await platform.request('POST', '/experiments', { body })).status).toBe(200)
    expect((await platform.request('GET', '/experiments/scoped-by-key')).status).toBe(200)
  })

  test('a member has a member’s rights, and losing the membership ends a personal key’s access at once', async () => {
    const key = await platform.newKey({ role: 'member', email: 'leaving@lab.example' })
    const before = await platform.request('GET', '/whoami', { key })
    expect(before.json.organizations[0].role).toBe('member')
    await removeMember(platform.services, { org: 'lab', email: 'leaving@lab.example' })
    expect((await platform.request('GET', '/experiments', { key })).status).toBe(403)
  })

  test('an organization key acts under its own name and has no email', async () => {
    const key = await platform.newKey({ kind: 'organization', role: 'member' })
    const { json } = await platform.request('GET', '/whoami', { key })
    expect(json).toMatchObject({ keyKind: 'organization', actor: { name: 'lab key' } })
    expect(json.actor.email).toBeUndefined()
  })
})

describe('requests', () => {
  test('invalid JSON, a body of another shape and an unknown route return the error envelope', async () => {
    const broken = await platform.request('POST', '/experiments/x/runs', {
      headers: { 'content-type': 'application/json' },
      yaml: '{',
    })
    expect([broken.status, broken.json.error]).toEqual([400, 'invalid_argument'])
    const list = await platform.request('POST', '/experiments/x/runs', { body: [1] })
    expect([list.status, list.json.error]).toEqual([400, 'invalid_argument'])
    const lost = await platform.request('GET', '/nowhere')
    expect([lost.status, lost.json.error]).toEqual([404, 'not_found'])
    expect(lost.json.requestId).toBeTruthy()
  })

  test('400 invalid_argument for a body over the size limit', async () => {
    const { status, json } = await platform.request('POST', '/experiments', { yaml: 'x'.repeat(5_000_000) })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('304 for an unchanged response and its ETag', async () => {
    const first = await platform.request('GET', '/whoami')
    const second = await platform.request('GET', '/whoami', {
      headers: { 'if-none-match': String(first.headers['etag']) },
    })
    expect([second.status, second.text]).toEqual([304, ''])
  })

  test('the OpenAPI document describes every endpoint and requires a key', async () => {
    const { json } = await platform.request('GET', '/openapi.json')
    for (const { method, path } of allEndpoints) {
      expect(json.paths[path.replaceAll(/:(\w+)/g, '{$1}')][method.toLowerCase()]).toBeDefined()
    }
    const updatedSince = json.paths['/experiments'].get.parameters.map(({ name }: { name: string }) => name)
    expect(updatedSince).toContain('updated_since')
    expect((await platform.request('GET', '/openapi.json', { key: '' })).status).toBe(401)
  })

  test('an unexpected error is internal, with a request id and without its cause', async () => {
    const broken = await openTestPlatform()
    await broken.services.db.execute('alter table experiments rename to gone')
    const { status, json } = await broken.request('GET', '/experiments')
    expect([status, json.error]).toEqual([500, 'internal'])
    expect(JSON.stringify(json)).not.toMatch(/experiments|select|relation/)
    await broken.close()
  })
})

describe('input that would break the database or the engine', () => {
  const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
  const forged = (...position: unknown[]) => Buffer.from(JSON.stringify(position)).toString('base64url')

  test.each([
    ['a year that no database stores', '/runs?since=0000-01-01T00:00:00Z'],
    ['an offset that no database stores', '/runs?since=2026-01-01T00:00:00%2B23:59'],
    ['the same on experiments', '/experiments?updated_since=0000-01-01T00:00:00Z'],
    [
      'a forged page token with such a date',
      `/runs?page_token=${forged('0000-01-01T00:00:00Z', '00000000-0000-4000-8000-000000000000')}`,
    ],
    ['a forged page token with NUL', `/experiments?page_token=${forged('2026-01-01T00:00:00Z', 'a\0b')}`],
    ['a limit over the maximum', '/runs?limit=20000'],
    ['a position beyond an integer', `/runs/${encodeURIComponent('a::b')}?transcript=true&after_seq=3000000000`],
    ['NUL in a parameter', '/experiments?search=a%00b'],
  ])('400 invalid_argument for %s', async (_, path) => {
    const { status, json } = await platform.request('GET', path)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('the error for a limit over the maximum uses the name it was sent as', async () => {
    expect((await platform.request('GET', '/runs/x/tests?page_size=0')).json.message).toBe(
      '`page_size` must be 1 or more',
    )
  })

  test('400 invalid_argument for JSON nested a hundred thousand levels deep', async () => {
    const headers = { 'content-type': 'application/json' }
    const { status, json } = await platform.request('POST', '/experiments', { yaml: deep(100_000), headers })
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test.each([
    ['/insights', '"labels"', '0'],
    ['/insights', '"labels"', '{}'],
    ['/runs/x/cancel', '"run_ids"', '0'],
    ['/notifications/read', '"event_ids"', '""'],
  ])('%s with a million faults is rejected quickly with a short message', async (path, field, item) => {
    await expectLinear(async (faults) => {
      const response = await platform.request('POST', path, {
        yaml: `{${field}:[${Array(faults).fill(item).join(',')}]}`,
        headers: { 'content-type': 'application/json' },
      })
      expect([response.status, response.json.error]).toEqual([400, 'invalid_argument'])
      expect(response.text.length).toBeLessThan(200_000)
    }, 1_000_000)
  })

  test('the error message about a field of a hundred thousand names is short', async () => {
    const parameters = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, 1]))
    await platform.request('POST', '/experiments', { yaml: twoByTwo('charted') })
    const body = { parameters }
    const response = await platform.request('POST', `/insights/${encodeURIComponent('chart:charted:tests')}/execute`, {
      body,
    })
    expect(response.status).toBe(400)
    expect(response.text.length).toBeLessThan(200_000)
  })

  test('text that no database can store is rejected under its field’s name', async () => {
    const messageOf = async (body: unknown) => (await platform.request('POST', '/reports', { body })).json.message
    expect(await messageOf({ title: 'a\0' })).toBe('`title` must not contain NUL characters')
    expect(await messageOf({ more: [{ inner: 'a\ud800' }] })).toBe('`more[0].inner` must be well-formed Unicode')
    expect(await messageOf({ 'a\0': 1 })).toBe('The request must not contain NUL characters')
    expect(await messageOf('a\0')).toBe('The request must not contain NUL characters')
  })

  test('a definition in UTF-16, UTF-32 or no encoding of Unicode is refused with its encoding, as text and in JSON', async () => {
    const definition = twoByTwo('in-utf16')
    const bytesOf = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')
    const wide = (text: string) => Buffer.from([...text].flatMap((sign) => [0, 0, 0, sign.charCodeAt(0)]))
    const push = async (yaml: Buffer, type: string) => {
      const { status, json } = await platform.request('POST', '/experiments', {
        yaml,
        headers: { 'content-type': type },
      })
      return [status, json.message]
    }
    const refused = (encoding: string) => [400, `The request is ${encoding} text. Save it as UTF-8 and send it again`]
    const inJson = JSON.stringify({ experimentYaml: definition })
    expect(await push(bytesOf(definition), 'text/yaml')).toEqual(refused('UTF-16'))
    expect(await push(bytesOf(definition).swap16(), 'text/yaml')).toEqual(refused('UTF-16'))
    expect(await push(bytesOf(inJson), 'application/json')).toEqual(refused('UTF-16'))
    expect(await push(wide(definition), 'text/yaml')).toEqual(refused('UTF-32'))
    const latin = Buffer.from(definition.replace('name: ', 'name: caf\u00e9 '), 'latin1')
    expect(await push(latin, 'text/yaml')).toEqual(refused('not UTF-8'))
    expect(await push(Buffer.from('{"experimentYaml": "caf\u00e9"}', 'latin1'), 'application/json')).toEqual(
      refused('not UTF-8'),
    )
    const read = { experimentYaml: bytesOf(definition).toString() }
    const { json } = await platform.request('POST', '/experiments', { body: read })
    expect(json.message).toBe('`experimentYaml` is UTF-16 text. Save it as UTF-8 and send it again')
  })

  test('a path that cannot be decoded returns the error envelope', async () => {
    const { status, json } = await platform.request('GET', '/runs/%zz')
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
  })

  test('the request id of the BFF is kept, so that both logs can be joined', async () => {
    const { headers } = await platform.request('GET', '/whoami', { headers: { 'x-request-id': 'front-12345678' } })
    expect(headers['x-request-id']).toBe('front-12345678')
  })
})
