import { afterAll, describe, expect, test } from 'vitest'

import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const sql = 'SELECT variant_id, pass_rate FROM runs'

const platform = await openTestPlatform()
const member = await platform.newKey({ role: 'member' })
await createOrganization(platform.services, { slug: 'elsewhere' })
const stranger = await platform.newKey({ organizations: ['elsewhere'] })
afterAll(() => platform.close())

const save = (body: unknown, key?: string) => platform.request('POST', '/insights', { body, ...(key && { key }) })
const view = (reference: string) => platform.request('GET', `/insights/${encodeURIComponent(reference)}?sql_only=true`)
const change = (reference: string, body: unknown, key?: string) =>
  platform.request('PATCH', `/insights/${encodeURIComponent(reference)}`, { body, ...(key && { key }) })
const remove = (reference: string, key?: string) =>
  platform.request('DELETE', `/insights/${encodeURIComponent(reference)}`, { ...(key && { key }) })

describe('PATCH /insights/{ref}', () => {
  test('an update of an insight changes the sent fields and keeps omitted ones', async () => {
    const { json } = await save({ heading: 'Before', sql, slug: 'patched', description: 'd', labels: ['l'] }, member)
    const renamed = await change('patched', { heading: ' After ' })
    expect(renamed.json).toMatchObject({
      sql,
      insight: { heading: 'After', description: 'd', labels: ['l'], id: json.insight.id },
    })
    expect(renamed.json.insight).toMatchObject({
      owner: { email: 'person2@lab.example' },
      updatedBy: { email: 'person1@lab.example' },
    })
    const requeried = await change(
      json.insight.id,
      { sql: 'SELECT 1 AS one', labels: ['m'], include_test_aware: true, presentation: { kind: 'number', y: ['one'] } },
      member,
    )
    expect(requeried.json).toMatchObject({
      sql: 'SELECT 1 AS one',
      insight: { heading: 'After', labels: ['m'], includeTestAware: true },
    })
    expect((await change('patched', { presentation: null })).json.insight).not.toHaveProperty('presentation')
  })

  test('an empty description clears it; an empty array or clear_labels clears the labels', async () => {
    await save({ heading: 'x', sql, slug: 'cleared', description: 'd', labels: ['l'] })
    expect((await change('cleared', { description: '' })).json.insight).not.toHaveProperty('description')
    expect((await change('cleared', { labels: [] })).json.insight.labels).toEqual([])
    await change('cleared', { labels: ['again'] })
    expect((await change('cleared', { clear_labels: true })).json.insight.labels).toEqual([])
  })

  test.each([
    ['an empty body', {}],
    ['clear_labels: false alone', { clearLabels: false }],
    ['labels and clear_labels', { labels: ['l'], clearLabels: true }],
    ['an empty array and clear_labels', { labels: [], clear_labels: true }],
    ['a slug', { heading: 'x', slug: 'moved' }],
    ['an id', { heading: 'x', id: 'ins_1' }],
    ['a provenance', { heading: 'x', provenance: { kind: 'none' } }],
    ['a blank heading', { heading: ' ' }],
    ['SQL that may not run', { sql: 'SELECT * FROM system.users' }],
  ])('400 invalid_argument for an update with %s, and nothing changes', async (_, body) => {
    await save({ heading: 'Kept', sql, slug: 'kept', labels: ['l'], force: true })
    const before = (await view('kept')).json
    const { status, json } = await change('kept', body)
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect((await view('kept')).json).toEqual(before)
  })

  test('an update is 404 for an insight that is missing or of another organization, and 403 for a member who does not own it', async () => {
    const { json } = await save({ heading: 'x', sql, slug: 'foreign' })
    expect((await change('nowhere', { heading: 'y' })).status).toBe(404)
    for (const reference of ['foreign', json.insight.id]) {
      expect((await change(reference, { heading: 'y' }, stranger)).json.error).toBe('not_found')
      expect((await change(reference, { heading: 'y' }, member)).json.error).toBe('permission_denied')
    }
    expect((await view('foreign')).json.insight.heading).toBe('x')
  })
})

describe('DELETE /insights/{ref}', () => {
  test('a delete is idempotent: a missing reference returns deleted: false', async () => {
    await save({ heading: 'x', sql, slug: 'gone' })
    expect((await remove('gone')).json).toEqual({ deleted: true })
    expect((await remove('gone')).json).toEqual({ deleted: false })
    expect((await view('gone')).status).toBe(404)
    expect((await remove('ins_nothing')).json).toEqual({ deleted: false })
  })

  test('of ten concurrent deletes, one reports deleted: true', async () => {
    await save({ heading: 'x', sql, slug: 'gone-once' })
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove('gone-once')))
    expect(answers.filter(({ json }) => json.deleted)).toHaveLength(1)
  })

  test("a delete answers deleted: false for another organization's insight, and is refused to a member who does not own it", async () => {
    await save({ heading: 'x', sql, slug: 'stays' })
    expect((await remove('stays', stranger)).json).toEqual({ deleted: false })
    expect((await remove('stays', member)).json.error).toBe('permission_denied')
    expect((await view('stays')).status).toBe(200)
  })
})

test('400 invalid_argument for an edit, delete or publication of a built-in chart', async () => {
  for (const reference of ['chart:target:tests', 'chart:nobody:metric']) {
    const share = await platform.request('POST', `/insights/${encodeURIComponent(reference)}/share`, { body: {} })
    const answers = [await change(reference, { heading: 'x' }), await remove(reference), share]
    expect(answers.map(({ status, json }) => [status, json.message])).toEqual([
      [400, 'Built-in charts cannot be edited'],
      [400, 'Built-in charts cannot be deleted'],
      [400, 'Built-in charts cannot be published'],
    ])
  }
})
