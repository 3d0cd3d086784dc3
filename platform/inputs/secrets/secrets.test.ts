import { randomBytes } from 'node:crypto'

import { and, eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { installationKeys } from '#platform/ground/installation-keys/installation-keys.ts'
import { twoByTwo } from '#platform/program/testing/definitions.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { resolveSecrets } from './resolve-secrets.ts'
import { rotateSecrets } from './rotate-secrets.ts'
import { sealSecret } from './seal.ts'
import { resealSecret } from './store.ts'
import { secrets } from '#platform/ground/database/tables/secrets.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member' })
afterAll(() => platform.close())
beforeEach(() => platform.services.db.delete(secrets))

const value = 'sk-live-0123456789abcdef'
const put = (slug: string, body: unknown = { value }, key?: string) =>
  platform.request('PUT', `/secrets/${slug}`, { body, ...(key && { key }) })
const list = (query = '') => platform.request('GET', `/secrets${query}`)
const slugsOf = (json: { secrets: { slug: string }[] }) => json.secrets.map(({ slug }) => slug)
const read = async (...slugs: string[]) => {
  const resolved = await resolveSecrets(platform.services, platform.organization.id, slugs)
  return resolved.values.map((secret) => secret.value)
}

describe('PUT /secrets/{slug}', () => {
  test('PUT creates, then replaces a secret, clears an omitted description and records who wrote it and when', async () => {
    const made = await put('openai', { value, description: ' Our key ' })
    expect([made.status, made.json]).toEqual([
      200,
      {
        slug: 'openai',
        description: 'Our key',
        createdBy: expect.objectContaining({ email: expect.any(String) }),
        createdAt: expect.any(String),
        updatedBy: made.json.createdBy,
        updatedAt: made.json.createdAt,
        usedBy: [],
        created: true,
      },
    ])
    const second = await platform.newKey()
    const replaced = await put('openai', { value: 'another value' }, second)
    expect(replaced.json).toMatchObject({
      created: false,
      createdBy: made.json.createdBy,
      createdAt: made.json.createdAt,
    })
    expect(replaced.json.description).toBeUndefined()
    expect(replaced.json.updatedBy).not.toEqual(made.json.createdBy)
    expect(replaced.json.updatedAt > made.json.updatedAt).toBe(true)
    expect(await read('openai')).toEqual(['another value'])
  })

  test('a value of up to 64 KiB is stored byte for byte', async () => {
    for (const exact of [' padded\n', 'ü🙂"\\\n\t', 'x'.repeat(65_536), '0']) {
      expect((await put('exact', { value: exact })).status).toBe(200)
      expect(await read('exact')).toEqual([exact])
    }
  })

  test.each([
    ['a missing value', 'slug', {}],
    ['an empty value', 'slug', { value: '' }],
    ['a value that is no text', 'slug', { value: 5 }],
    ['a value of more than 64 KiB', 'slug', { value: 'ü'.repeat(32_769) }],
    ['a value with NUL', 'slug', { value: `${value}\0` }],
    ['a description of 1001 characters', 'slug', { value, description: 'x'.repeat(1001) }],
    ['a slug with a space', 'a%20b', { value }],
    ['a slug with a slash', 'a%2Fb', { value }],
    ['a slug that starts with a dot', '.env', { value }],
    ['a slug of 101 characters', 'x'.repeat(101), { value }],
  ])('400 invalid_argument for %s, without repeating the value', async (_, slug, body) => {
    const { status, json, text } = await put(slug, body)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(text).not.toContain(value)
    expect((await list()).json.secrets).toEqual([])
  })

  test('a body that is not JSON is rejected without repeating it', async () => {
    const { status, text } = await platform.request('PUT', '/secrets/x', {
      yaml: `{"value": "${value}`,
      headers: { 'content-type': 'application/json' },
    })
    expect(status).toBe(400)
    expect(text).not.toContain('sk-live')
  })

  test('403 permission_denied for a member who writes a secret', async () => {
    const { status, json } = await put('openai', { value }, member)
    expect([status, json.error]).toEqual([403, 'permission_denied'])
    expect(await read('openai')).toEqual([])
  })

  test('412 failed_precondition without an encryption key, and nothing is stored', async () => {
    const keyless = await openTestPlatform({ keys: installationKeys([]) })
    const { status, json } = await keyless.request('PUT', '/secrets/x', { body: { value } })
    expect([status, json.error]).toEqual([412, 'failed_precondition'])
    expect(json.message).toContain('ASSAY_ENCRYPTION_KEYS')
    expect((await keyless.request('GET', '/secrets')).json.secrets).toEqual([])
    await keyless.close()
  })

  test('twenty concurrent writes leave one secret with one of their values, and exactly one creates it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => put('raced', { value: `value ${index}` })),
    )
    expect(answers.filter(({ json }) => json.created)).toHaveLength(1)
    expect((await read('raced'))[0]).toMatch(/^value \d+$/)
  })
})

describe('GET /secrets', () => {
  test('no response contains a secret value, for any caller', async () => {
    const made = await put('openai', { value, description: 'Our key' })
    const answers = [made, await list(), await list('?query=sk-live'), await list(`?slug=openai`)]
    const asMember = await platform.request('GET', '/secrets', { key: member })
    expect(slugsOf(asMember.json)).toEqual(['openai'])
    for (const { text } of [...answers, asMember]) {
      expect(text).not.toContain(value)
      expect(text).not.toMatch(/sealed|keyId|value/)
    }
    expect(slugsOf(answers[2]?.json)).toEqual([])
  })

  test('query searches the slugs and descriptions of secrets as plain text', async () => {
    await put('openai-key', { value, description: 'For 100% of the agents' })
    await put('npm', { value, description: 'Registry, from OpenAI too' })
    await put('other')
    expect(slugsOf((await list('?query=OPENAI')).json)).toEqual(['npm', 'openai-key'])
    expect(slugsOf((await list('?query=100%25')).json)).toEqual(['openai-key'])
    expect(slugsOf((await list('?query=o_her')).json)).toEqual([])
  })

  test('pages of secrets repeat and skip nothing while others are added; slug selects single secrets', async () => {
    for (const slug of ['a', 'c', 'e', 'g']) await put(slug)
    const first = (await list('?page_size=2')).json
    await put('b')
    const second = (await list(`?page_size=2&page_token=${first.nextPageToken}`)).json
    expect([...slugsOf(first), ...slugsOf(second)]).toEqual(['a', 'c', 'e', 'g'])
    expect(second.nextPageToken).toBeUndefined()
    expect(slugsOf((await list('?slug=g,nobody&slug=a')).json)).toEqual(['a', 'g'])
  })

  test('400 invalid_argument for a page_token that was given for other filters', async () => {
    for (const slug of ['a', 'b', 'c']) await put(slug)
    const { nextPageToken } = (await list('?page_size=1')).json
    expect((await list(`?query=b&page_token=${nextPageToken}`)).json.error).toBe('invalid_argument')
    expect((await list(`?slug=b&page_token=${nextPageToken}`)).json.error).toBe('invalid_argument')
  })

  test.each(['page_size=0', 'page_size=x', 'page_size=1001', 'page_token=nonsense'])(
    '400 invalid_argument for the secret list with %s',
    async (query) => {
      expect((await list(`?${query}`)).json.error).toBe('invalid_argument')
    },
  )

  test('usedBy names the experiments whose latest version refers to the secret anywhere', async () => {
    await put('search')
    await put('model')
    await put('sear')
    await platform.request('POST', '/experiments', {
      yaml: `
id: uses
name: Uses both
agents: [{id: a, command: ["true"], env: {KEY: assay://secrets/search, TEXT: "not assay://secrets/sear"}}]
models: [m, {id: gpt-5, apiKey: assay://secrets/model}]
products: [{id: p, env: {KEY: assay://secrets/search}}]`,
    })
    await platform.request('POST', '/experiments', {
      yaml: twoByTwo('used-to') + 'flags: [{id: f, env: {K: assay://secrets/search}}]',
    })
    await platform.request('POST', '/experiments', { yaml: twoByTwo('used-to') })
    await platform.request('POST', '/experiments', {
      yaml: twoByTwo('flagged') + 'flags: [{id: f, env: {K: assay://secrets/search}}]',
    })
    const used = Object.fromEntries(
      (await list()).json.secrets.map(({ slug, usedBy }: { slug: string; usedBy: { experimentId: string }[] }) => [
        slug,
        usedBy.map(({ experimentId }) => experimentId),
      ]),
    )
    expect(used).toEqual({ model: ['uses'], sear: [], search: ['flagged', 'uses'] })
  })

  test('a secret of one organization is not visible in another', async () => {
    await createOrganization(platform.services, { slug: 'elsewhere' })
    const key = await platform.newKey({ organizations: ['elsewhere'] })
    await put('ours')
    await put('theirs', { value: 'their own' }, key)
    await platform.request('DELETE', '/secrets/ours', { key })
    expect(slugsOf((await platform.request('GET', '/secrets', { key })).json)).toEqual(['theirs'])
    expect(slugsOf((await list()).json)).toEqual(['ours'])
    expect(await read('theirs')).toEqual([])
  })
})

describe('DELETE /secrets/{slug}', () => {
  test('deleting a secret returns 204, even if it is missing or its slug is invalid', async () => {
    await put('openai')
    for (const slug of ['openai', 'openai', 'nobody', 'a%20b']) {
      const { status, text } = await platform.request('DELETE', `/secrets/${slug}`)
      expect([status, text]).toEqual([204, ''])
    }
    expect((await list()).json.secrets).toEqual([])
  })

  test('403 permission_denied for a member who deletes a secret, and the secret stays', async () => {
    await put('openai')
    expect((await platform.request('DELETE', '/secrets/openai', { key: member })).json.error).toBe('permission_denied')
    expect(await read('openai')).toEqual([value])
  })
})

describe('at rest', () => {
  const stored = (slug: string) => and(eq(secrets.organizationId, platform.organization.id), eq(secrets.slug, slug))

  test('no table column contains a secret value, and the same value is encrypted differently each time', async () => {
    await put('a')
    await put('b')
    const rows = await platform.services.db.select().from(secrets)
    expect(new Set(rows.map(({ sealed }) => sealed)).size).toBe(2)
    const text = JSON.stringify(rows)
    for (const form of [value, Buffer.from(value).toString('base64').slice(0, 20), Buffer.from(value).toString('hex')])
      expect(text).not.toContain(form)
  })

  test('a ciphertext that is moved to another secret, changed or cut cannot be decrypted, and is reported so', async () => {
    await put('victim')
    await put('copy', { value: 'its own value' })
    const { db } = platform.services
    const [victim] = await db.select().from(secrets).where(stored('victim'))
    const bytes = Buffer.from(victim?.sealed ?? '', 'base64')
    const flipped = Buffer.from(bytes.map((byte, index) => (index === bytes.byteLength - 1 ? byte ^ 1 : byte)))
    for (const sealed of [victim?.sealed, flipped.toString('base64'), bytes.subarray(0, 20).toString('base64'), '']) {
      await db.update(secrets).set({ sealed }).where(stored('copy'))
      const resolved = await resolveSecrets(platform.services, platform.organization.id, ['copy', 'victim', 'none'])
      expect(resolved).toEqual({ values: [{ slug: 'victim', value }], unreadable: ['copy'], missing: ['none'] })
    }
  })

  test('using a secret updates its lastUsedAt', async () => {
    await put('openai')
    expect((await list()).json.secrets[0].lastUsedAt).toBeUndefined()
    await read('openai')
    const used = (await list()).json.secrets[0].lastUsedAt
    expect(Date.parse(used)).toBeGreaterThan(Date.now() - 60_000)
    await read('openai')
    expect((await list()).json.secrets[0].lastUsedAt).toBe(used)
  })
})

describe('rotation', () => {
  const [older, newer] = [randomBytes(32), randomBytes(32)]

  /** Stores secrets as an installation did that had only the older key. */
  async function storeWithOlderKey(count: number) {
    const lab = await openTestPlatform({ keys: installationKeys([older]) })
    for (let index = 0; index < count; index += 1)
      await lab.request('PUT', `/secrets/s${index}`, { body: { value: `value ${index}` } })
    return lab
  }

  test('old secret values are readable before a rotation and need only the newest key after it', async () => {
    const lab = await storeWithOlderKey(3)
    const services = (...masters: Buffer[]) => ({ ...lab.services, keys: installationKeys(masters) })
    const valuesWith = async (...masters: Buffer[]) =>
      (await resolveSecrets(services(...masters), lab.organization.id, ['s0', 's1', 's2'])).values.map(
        ({ value: text }) => text,
      )
    expect(await valuesWith(newer, older)).toEqual(['value 0', 'value 1', 'value 2'])
    expect(await rotateSecrets(services(newer, older))).toEqual({ rotated: 3, unreadable: [] })
    expect(await valuesWith(newer)).toEqual(['value 0', 'value 1', 'value 2'])
    expect(await valuesWith(older)).toEqual([])
    expect(await rotateSecrets(services(newer, older))).toEqual({ rotated: 0, unreadable: [] })
    await lab.close()
  })

  test('a rotation that is killed halfway resumes and loses nothing', async () => {
    const lab = await storeWithOlderKey(250)
    let left = 120
    const dying = {
      ...lab.services,
      keys: installationKeys([newer, older]),
      db: new Proxy(lab.services.db, {
        get(target, name, receiver) {
          if (name === 'update' && left-- === 0) throw new Error('killed')
          return Reflect.get(target, name, receiver)
        },
      }),
    }
    await expect(rotateSecrets(dying)).rejects.toThrow('killed')
    const alive = { ...lab.services, keys: installationKeys([newer, older]) }
    expect(await rotateSecrets(alive)).toEqual({ rotated: 130, unreadable: [] })
    const slugs = Array.from({ length: 250 }, (_, index) => `s${index}`)
    const after = await resolveSecrets({ ...lab.services, keys: installationKeys([newer]) }, lab.organization.id, slugs)
    expect(after.values.map((secret) => secret.value)).toEqual(slugs.map((_, index) => `value ${index}`))
    await lab.close()
  })

  test('a rotation names and skips secrets that no key decrypts, and rotates the others', async () => {
    const lab = await storeWithOlderKey(2)
    await lab.request('DELETE', '/secrets/s1')
    expect(await rotateSecrets({ ...lab.services, keys: installationKeys([newer]) })).toEqual({
      rotated: 0,
      unreadable: [{ organizationId: lab.organization.id, slug: 's0' }],
    })
    await lab.close()
  })

  test('a value replaced during a rotation is kept', async () => {
    const { db, keys } = platform.services
    const place = { organizationId: platform.organization.id, slug: 'raced' }
    await put('raced', { value: 'old' })
    const [before] = await db.select().from(secrets)
    await put('raced', { value: 'new' })
    if (!before) throw new Error('not stored')
    expect(await resealSecret(db, place, before, sealSecret(keys, place, 'old'))).toBe(false)
    expect(await read('raced')).toEqual(['new'])
  })
})
