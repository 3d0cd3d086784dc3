import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import type { ContextKind } from '#contract/context-kinds.ts'
import type { ContextRecordList, ContextRecordSummary, ContextVersion } from '#contract/context-records.ts'
import { enableSuggestions } from '#platform/inputs/context-suggestions/enable-suggestions.ts'
import { contextRecords } from '#platform/ground/database/tables/context-records.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { putRecord } from './put-record.ts'
import { seedRecords } from './seed-records.ts'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member', email: 'member@lab.example' })
await enableSuggestions(platform.services, platform.organization.id, true)
beforeEach(async () => {
  await platform.services.db.delete(contextSuggestions)
  await platform.services.db.delete(contextRecords)
})
afterAll(() => platform.close())

const put = (targetId: string, fields: Record<string, string>, kind: ContextKind = 'product') =>
  putRecord(platform.services, { organizationId: platform.organization.id, kind, targetId, fields })

const list = async (query = '', key = member): Promise<ContextRecordList> => {
  const { status, json } = await platform.request('GET', `/context/records${query}`, { key })
  expect([status, json.message]).toEqual([200, undefined])
  return json
}
const namesIn = async (query: string) => (await list(query)).records.map(({ name }) => name)

const suggest = async (targetId: string, baseRevision = 1) => {
  const proposal = { kind: 'product', targetId, baseRevision, proposed: { summary: `New ${randomUUID()}` } }
  const rest = { reason: 'Better', evidence: [], idempotencyKey: randomUUID() }
  const body = { action: 'submit', ...proposal, ...rest }
  const { status, json } = await platform.request('POST', '/context/suggestions', { key: member, body })
  expect(status).toBe(200)
  return String(json.suggestionId)
}

const versionsOf = async (targetId: string): Promise<ContextVersion[]> =>
  (await platform.request('GET', `/context/records/product/${targetId}/versions`, { key: member })).json.versions

const restore = (path: string, expectedRevision: number, key = platform.admin) =>
  platform.request('POST', `/context/records/product/${path}/restore`, { key, body: { expectedRevision } })

describe('the list', () => {
  test('has name, excerpt, last change and pending suggestions of each record, by name in any case', async () => {
    await put('b', { name: 'beta', description: 'Only a description' })
    await put('a', { name: 'Alpha', summary: 'First' })
    await put('a', { name: 'Alpha', summary: 'Second' })
    await suggest('a', 2)
    const { records } = await list()
    expect(records).toEqual([
      expect.objectContaining({ kind: 'product', targetId: 'a', name: 'Alpha', revision: 2, pendingSuggestions: 1 }),
      expect.objectContaining({ targetId: 'b', excerpt: 'Only a description', pendingSuggestions: 0 }),
    ])
    expect(records[0]).not.toHaveProperty('changedBy')
    expect(records[0]).not.toHaveProperty('fields')
    expect(await namesIn('?sort=-changed')).toEqual(['Alpha', 'beta'])
    expect(await namesIn('?sort=-name')).toEqual(['beta', 'Alpha'])
  })

  test('can be filtered by kinds and by pending suggestions', async () => {
    await put('a', { name: 'A' })
    await put('b', { name: 'B' }, 'persona')
    await put('c', { name: 'C' }, 'agent')
    await suggest('a')
    expect(await namesIn('?kind=persona,agent')).toEqual(['B', 'C'])
    expect(await namesIn('?pending=true')).toEqual(['A'])
    expect(await namesIn('?pending=false')).toEqual(['B', 'C'])
  })

  test('is searched by words in the id and in the text, never in the names of fields', async () => {
    await put('widget-1', { name: 'Widget', description: 'For small teams' })
    await put('gadget-1', { name: 'Gadget', description: 'For large teams' })
    expect(await namesIn('?search=TEAMS')).toEqual(['Gadget', 'Widget'])
    expect(await namesIn('?search=teams%20small')).toEqual(['Widget'])
    expect(await namesIn('?search=gadget-1')).toEqual(['Gadget'])
    expect(await namesIn('?search=description')).toEqual([])
  })

  test.each(['%', '_', '\\', "'", '"', '%%', 'a%b'])('takes %s in a search as it is', async (text) => {
    await put('plain', { name: 'Plain', summary: 'aXb' })
    await put('odd', { name: 'Odd', summary: `before ${text} after` })
    expect(await namesIn(`?search=${encodeURIComponent(text)}`)).toEqual(['Odd'])
  })

  test('shows the text around what was searched for', async () => {
    const [record] = (
      await (await put('long', {
        name: 'Long',
        summary: 'Short',
        description: `${'x '.repeat(900)}needle${' y'.repeat(900)}`,
      }),
      list('?search=needle'))
    ).records
    expect(record?.excerpt).toContain('needle')
    expect(record?.excerpt).toMatch(/^…x.*y…$/)
    expect(record?.excerpt.length).toBeLessThan(250)
  })

  test.each(['name', '-name', 'changed', '-changed'])(
    'has pages without gaps or repeats, sorted by %s',
    async (sort) => {
      for (const id of ['a', 'b', 'c', 'd', 'e']) await put(id, { name: id < 'd' ? 'Same' : `Name ${id}` })
      const whole = (await list(`?sort=${sort}`)).records.map(({ targetId }) => targetId)
      const walked: ContextRecordSummary[] = []
      let token = ''
      do {
        const page: ContextRecordList = await list(`?sort=${sort}&page_size=2&page_token=${token}`)
        walked.push(...page.records)
        token = page.nextPageToken ?? ''
      } while (token !== '')
      expect(walked.map(({ targetId }) => targetId)).toEqual(whole)
      expect(new Set(whole).size).toBe(5)
    },
  )

  test('400 invalid_argument for a token of other filters, a search that is too long and an unknown order', async () => {
    for (const id of ['a', 'b']) await put(id, { name: id })
    const { nextPageToken } = await list('?page_size=1')
    for (const query of [
      `?kind=agent&page_token=${nextPageToken}`,
      `?search=${'x'.repeat(201)}`,
      '?sort=revision',
      '?kind=person',
    ])
      expect((await platform.request('GET', `/context/records${query}`, { key: member })).status).toBe(400)
  })
})

describe('creating a record', () => {
  const create = (body: object, key = platform.admin) => platform.request('POST', '/context/records', { key, body })
  const record = { kind: 'agent', targetId: 'bold', fields: { name: 'Bold', summary: 'Guesses' } }

  test('an admin creates it with its first version; fields that are not sent are empty', async () => {
    const { status, json } = await create(record)
    expect([status, json.revision, json.changedBy.name]).toEqual([200, 1, 'person1'])
    expect(json.fields).toEqual({
      name: 'Bold',
      summary: 'Guesses',
      capabilities: '',
      limitations: '',
      documentationUrl: '',
    })
    const { versions } = (await platform.request('GET', '/context/records/agent/bold/versions')).json
    expect(versions).toMatchObject([{ revision: 1, cause: 'created', changedBy: { name: 'person1' } }])
  })

  test('two admins who create the same record: one succeeds, one gets 409', async () => {
    const answers = await Promise.all([create(record), create({ ...record, fields: { name: 'Other' } })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const kept = answers.find(({ status }) => status === 200)?.json.name
    expect(await namesIn('')).toEqual([kept])
  })

  test('members cannot create records', async () => {
    expect((await create(record, member)).json.error).toBe('permission_denied')
  })

  test('400 invalid_argument for an invalid id, a blank name and a field of another kind', async () => {
    const faults = [{ targetId: 'no spaces' }, { fields: { name: ' ' } }, { fields: { name: 'A', goals: 'x' } }]
    const answers = await Promise.all(faults.map((fault) => create({ ...record, ...fault })))
    expect(answers.map(({ json }) => [json.error, json.issues[0].path])).toEqual([
      ['invalid_argument', 'targetId'],
      ['invalid_argument', 'fields.name'],
      ['invalid_argument', 'fields.goals'],
    ])
    expect(await namesIn('')).toEqual([])
  })
})

describe('the history', () => {
  test('has every version with its cause, its author and what it changed, in pages', async () => {
    await put('a', { name: 'A', summary: 'One' })
    await put('a', { name: 'A', summary: 'Two', description: 'More' })
    const id = await suggest('a', 2)
    await platform.request('POST', `/context/suggestions/${id}/decision`, { body: { decision: 'accepted' } })
    expect(await versionsOf('a')).toEqual([
      expect.objectContaining({
        revision: 3,
        cause: 'suggestion',
        changedBy: expect.objectContaining({ name: 'person1' }),
        changedFields: ['summary'],
        suggestion: { suggestionId: id, author: expect.objectContaining({ name: 'member' }) },
      }),
      expect.objectContaining({ revision: 2, cause: 'written', changedFields: ['summary', 'description'] }),
      expect.objectContaining({ revision: 1, cause: 'created', changedFields: [] }),
    ])
    const path = '/context/records/product/a/versions'
    const first = await platform.request('GET', `${path}?page_size=2`, { key: member })
    expect(first.json.versions.map(({ revision }: ContextVersion) => revision)).toEqual([3, 2])
    const rest = await platform.request('GET', `${path}?page_token=${first.json.nextPageToken}`, { key: member })
    expect(rest.json.versions.map(({ revision }: ContextVersion) => revision)).toEqual([1])
    const old = await platform.request('GET', `${path}/2`, { key: member })
    expect(old.json.fields).toEqual({ name: 'A', summary: 'Two', description: 'More', documentationUrl: '' })
  })

  test('a write without effect and a refused write leave no version', async () => {
    await put('a', { name: 'A' })
    await put('a', { name: 'A' })
    await expect(put('a', { name: ' ' })).rejects.toThrow('blank')
    expect((await versionsOf('a')).map(({ revision }) => revision)).toEqual([1])
  })

  test('the sample records have a history too', async () => {
    await seedRecords(platform.services, platform.organization.id)
    expect((await versionsOf('assay')).map(({ cause }) => cause)).toEqual(['created'])
  })

  test('404 not_found for an unknown kind, record and version', async () => {
    await put('a', { name: 'A' })
    const record = '/context/records/product/a'
    const paths = ['/context/records/robot/a', '/context/records/product/b', '/context/records/product/b/versions']
    for (const path of [...paths, ...['0', '2', '-1', '1e3', '99999999999'].map((at) => `${record}/versions/${at}`)]) {
      const { status, json } = await platform.request('GET', path, { key: member })
      expect([path, status, json.error]).toEqual([path, 404, 'not_found'])
    }
  })
})

describe('restoring a version', () => {
  test('writes its fields as the next revision, which names the admin, and notifies the others', async () => {
    await put('restored', { name: 'A', summary: 'One' })
    await put('restored', { name: 'A', summary: 'Two' })
    const { status, json } = await restore('restored/versions/1', 2)
    expect([status, json.revision, json.fields.summary]).toEqual([200, 3, 'One'])
    expect(json.changedBy.name).toBe('person1')
    expect((await versionsOf('restored'))[0]).toMatchObject({ cause: 'restored', restoredRevision: 1 })
    const { json: feed } = await platform.request('GET', '/notifications', { key: member })
    expect(feed.entries[0]).toMatchObject({
      type: 'context.product.updated',
      actor: { name: 'person1' },
      payload: { revision: 3 },
    })
  })

  test('409 and no change if the record changed since it was read; members may not restore', async () => {
    await put('a', { name: 'A', summary: 'One' })
    await put('a', { name: 'A', summary: 'Two' })
    expect((await restore('a/versions/1', 1)).json.error).toBe('already_exists')
    expect((await restore('a/versions/1', 2, member)).json.error).toBe('permission_denied')
    expect((await versionsOf('a')).map(({ revision }) => revision)).toEqual([2, 1])
  })

  test('of two at once, one is refused', async () => {
    await put('a', { name: 'A', summary: 'One' })
    await put('a', { name: 'A', summary: 'Two' })
    const answers = await Promise.all([restore('a/versions/1', 2), restore('a/versions/1', 2)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await versionsOf('a')).map(({ revision }) => revision)).toEqual([3, 2, 1])
  })

  test('a version that the kind no longer allows is refused', async () => {
    await put('a', { name: 'A', summary: 'One' })
    await put('a', { name: 'A', summary: 'Two' })
    await platform.services.db.execute(
      sql`update context_versions set fields = '{"name":"A","color":"red"}' where revision = 1`,
    )
    expect((await restore('a/versions/1', 2)).json.error).toBe('invalid_argument')
  })
})

test('another organization cannot read Context records', async () => {
  await put('a', { name: 'Ours' })
  await createOrganization(platform.services, { slug: 'elsewhere' })
  const key = await platform.newKey({ organizations: ['elsewhere'] })
  expect((await list('', key)).records).toEqual([])
  const record = '/context/records/product/a'
  for (const path of [record, `${record}/versions`, `${record}/versions/1`])
    expect((await platform.request('GET', path, { key })).status).toBe(404)
  expect((await restore('a/versions/1', 1, key)).status).toBe(404)
})
