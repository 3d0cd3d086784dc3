import { randomBytes } from 'node:crypto'

import { afterAll, describe, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { type InstallationKeys, installationKeys } from '#platform/ground/installation-keys/installation-keys.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { publications } from '#platform/ground/database/tables/publications.ts'

const sql = 'SELECT count() AS n FROM runs'

/** The platform's keys. The tests change them while it runs. */
const masters = [randomBytes(32)]
const keys: InstallationKeys = {
  current: (purpose) => installationKeys(masters).current(purpose),
  find: (purpose, id) => installationKeys(masters).find(purpose, id),
}

const platform = await openTestPlatform({ keys })
const member = await platform.newKey({ role: 'member' })
afterAll(() => platform.close())

const save = (slug: string, key?: string) =>
  platform.request('POST', '/insights', { body: { heading: slug, slug, sql }, ...(key && { key }) })
const share = (reference: string, key?: string) =>
  platform.request('POST', `/insights/${reference}/share`, { ...(key && { key }) })
const urlOf = async (reference: string): Promise<string> => (await share(reference)).json.url
const publicationOf = async (reference: string) =>
  (await platform.request('GET', `/insights/${reference}?sql_only=true`)).json.publication

describe('POST /insights/{ref}/share', () => {
  test('share returns a URL under /embed/insights with a 256-bit token, the same by id and by slug', async () => {
    const { id } = (await save('shared')).json.insight
    const { status, json } = await share('shared')
    expect(status).toBe(200)
    expect(Object.keys(json)).toEqual(['url'])
    expect(json.url).toMatch(/^https:\/\/assay\.example\/embed\/insights\/[\w-]{43}$/)
    expect(await urlOf(id)).toBe(json.url)
    expect(await publicationOf('shared')).toMatchObject({ url: json.url, isCurrent: true })
    const listed = (await platform.request('GET', '/insights?search=shared')).json.insights[0]
    expect(Date.parse(listed.publishedAt)).toBeGreaterThan(0)
    expect(JSON.stringify(listed)).not.toContain(json.url)
  })

  test.each([
    [{ heading: 'Renamed' }, false],
    [{ sql: 'SELECT 1 AS one' }, false],
    [{ description: 'New' }, false],
    [{ includeTestAware: true }, false],
    [{ presentation: { kind: 'number', y: ['n'] } }, false],
    [{ labels: ['not shown'] }, true],
  ])('after a change of %j, isCurrent of the publication is %j', async (body, isCurrent) => {
    await platform.request('DELETE', '/insights/changed')
    await save('changed')
    const url = await urlOf('changed')
    await platform.request('PATCH', '/insights/changed', { body })
    expect(await publicationOf('changed')).toMatchObject({ url, isCurrent })
  })

  test('twenty concurrent share calls publish once and return one URL', async () => {
    await save('shared-by-twenty')
    const urls = await Promise.all(Array.from({ length: 20 }, () => urlOf('shared-by-twenty')))
    expect(new Set(urls).size).toBe(1)
  })

  test('the database stores only the hash of a token', async () => {
    await save('hashed')
    const token = (await urlOf('hashed')).split('/').at(-1) ?? ''
    const rows = JSON.stringify(await platform.services.db.select().from(publications))
    expect(rows).not.toContain(token)
    expect(rows).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  test('an insight that is deleted and saved again under its slug gets a new URL', async () => {
    await save('reborn')
    const before = await urlOf('reborn')
    await platform.request('DELETE', '/insights/reborn')
    await save('reborn')
    expect(await publicationOf('reborn')).toBeUndefined()
    expect(await urlOf('reborn')).not.toBe(before)
  })

  test('share is 404 for a missing or foreign insight and 403 for a member who does not own it, but allows a member’s own', async () => {
    await createOrganization(platform.services, { slug: 'elsewhere' })
    const stranger = await platform.newKey({ organizations: ['elsewhere'] })
    await save('ours')
    expect((await share('nowhere')).json.error).toBe('not_found')
    expect((await share('ours', stranger)).json.error).toBe('not_found')
    expect((await share('ours', member)).json.error).toBe('permission_denied')
    expect(await publicationOf('ours')).toBeUndefined()
    await save('theirs', member)
    expect((await share('theirs', member)).status).toBe(200)
  })
})

describe('key rotation', () => {
  test('after a key rotation, a publication keeps its URL and a new one uses the new key', async () => {
    await save('old-key')
    const url = await urlOf('old-key')
    masters.unshift(randomBytes(32))
    await save('new-key')
    await urlOf('new-key')
    expect(await urlOf('old-key')).toBe(url)
    expect(await publicationOf('old-key')).toMatchObject({ url })
    expect((await platform.visit(new URL(url).pathname, 'HEAD')).status).toBe(200)
    const used = new Set((await platform.services.db.select().from(publications)).map(({ keyId }) => keyId))
    expect(used.size).toBe(2)
  })

  test('without the old key, an old URL still opens but cannot be shown again; without any key, share is refused', async () => {
    await save('lost-key')
    const url = await urlOf('lost-key')
    const lost = masters.splice(0, masters.length, randomBytes(32))
    try {
      expect((await share('lost-key')).json).toMatchObject({ error: 'failed_precondition' })
      expect(await publicationOf('lost-key')).toBeUndefined()
      expect((await platform.visit(new URL(url).pathname, 'HEAD')).status).toBe(200)
      masters.length = 0
      await save('no-key')
      const { status, json } = await share('no-key')
      expect([status, json.error]).toEqual([412, 'failed_precondition'])
    } finally {
      masters.splice(0, masters.length, ...lost)
    }
    expect(await urlOf('lost-key')).toBe(url)
  })
})
