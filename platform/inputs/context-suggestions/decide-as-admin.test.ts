import { randomUUID } from 'node:crypto'

import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import type { SharedSuggestion } from '#contract/context-suggestions.ts'
import { putRecord } from '#platform/inputs/context-records/put-record.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { enableSuggestions } from './enable-suggestions.ts'

const platform = await openTestPlatform()
const author = await platform.newKey({ role: 'member', email: 'author@lab.example' })
const colleague = await platform.newKey({ role: 'member', email: 'colleague@lab.example' })
await enableSuggestions(platform.services, platform.organization.id, true)
beforeEach(() => platform.services.db.delete(contextSuggestions))
afterAll(() => platform.close())

async function newProduct(fields: Record<string, string> = { name: 'Widget', summary: 'A widget' }) {
  const targetId = `widget-${randomUUID().slice(0, 8)}`
  await put(targetId, fields)
  return targetId
}

const put = (targetId: string, fields: Record<string, string>) =>
  putRecord(platform.services, { organizationId: platform.organization.id, kind: 'product', targetId, fields })

async function submit(targetId: string, more: object = {}) {
  const proposal = { kind: 'product', targetId, baseRevision: 1, proposed: { summary: 'Better' }, reason: 'It is' }
  const body = { action: 'submit', ...proposal, evidence: [], idempotencyKey: randomUUID(), ...more }
  const { status, json } = await platform.request('POST', '/context/suggestions', { key: author, body })
  expect([status, json.message]).toEqual([200, undefined])
  return String(json.suggestionId)
}

const listed = async (query = '', key = colleague): Promise<SharedSuggestion[]> =>
  (await platform.request('GET', `/context/suggestions${query}`, { key })).json.suggestions

const decide = (id: string, body: object, key = platform.admin) =>
  platform.request('POST', `/context/suggestions/${id}/decision`, { key, body })

const recordOf = async (targetId: string) =>
  (await platform.request('GET', `/context/records/product/${targetId}`)).json

const newestNotice = async (key: string) => (await platform.request('GET', '/notifications', { key })).json.entries[0]

describe('the queue', () => {
  test('everyone sees the suggestions of all, with the record as it is now and without idempotency keys', async () => {
    const targetId = await newProduct()
    const id = await submit(targetId)
    await put(targetId, { name: 'Widget', summary: 'Changed meanwhile' })
    const [suggestion] = await listed()
    expect(suggestion).toMatchObject({
      suggestionId: id,
      author: { name: 'author' },
      isOwn: false,
      baseRevision: 1,
      targetRevision: 2,
      base: { summary: 'A widget' },
      proposed: { summary: 'Better' },
      current: { summary: 'Changed meanwhile' },
    })
    expect(suggestion).not.toHaveProperty('idempotencyKey')
    expect((await listed('', author))[0]?.isOwn).toBe(true)
    const { json } = await platform.request('GET', `/context/suggestions/${id}`, { key: colleague })
    expect(json).toEqual(suggestion)
  })

  test('filters by status and record, and is walked in both orders', async () => {
    const [first, second] = [await newProduct(), await newProduct()]
    const ids = [await submit(first), await submit(second), await submit(first)]
    await decide(ids[0] ?? '', { decision: 'rejected' })
    const idsIn = async (query: string) => (await listed(query)).map(({ suggestionId }) => suggestionId)
    expect(await idsIn('?sort=created')).toEqual(ids)
    expect(await idsIn('')).toEqual(ids.toReversed())
    expect(await idsIn('?status=pending&sort=created')).toEqual(ids.slice(1))
    expect(await idsIn(`?kind=product&target_id=${second}`)).toEqual([ids[1]])
    const page = await platform.request('GET', '/context/suggestions?sort=created&page_size=2', { key: colleague })
    expect(await idsIn(`?sort=created&page_token=${page.json.nextPageToken}`)).toEqual([ids[2]])
  })

  test('is searched by words of the reason, the fields, the record and the author, and has a filter for the caller’s own', async () => {
    const [widget, gadget] = [await newProduct(), await newProduct({ name: 'Gadget', summary: 'It is new' })]
    const [first, second] = [await submit(widget, { reason: '100% sure' }), await submit(gadget)]
    const found = async (search: string) =>
      (await listed(`?search=${encodeURIComponent(search)}`)).map(({ suggestionId }) => suggestionId)
    expect(await found('GADGET better')).toEqual([second])
    expect(await found('100%')).toEqual([first])
    expect(await found('author')).toEqual([second, first])
    expect(await found('gadget sure')).toEqual([])
    expect(await listed('?own=true')).toEqual([])
    expect((await listed('?own=true', author)).map(({ suggestionId }) => suggestionId)).toEqual([second, first])
  })
})

test('admins are notified of a suggestion once, and nobody else is', async () => {
  const targetId = await newProduct({ name: 'Announced' })
  const key = randomUUID()
  const id = await submit(targetId, { idempotencyKey: key })
  await submit(targetId, { idempotencyKey: key })
  const { json } = await platform.request('GET', '/notifications')
  const notices = json.entries.filter(({ subject }: { subject: { id: string } }) => subject.id === id)
  expect(notices).toMatchObject([
    { type: 'context.suggestion.submitted', actor: { name: 'author' }, payload: { name: 'Announced' } },
  ])
  for (const other of [author, colleague]) expect(await newestNotice(other)).not.toMatchObject({ subject: { id } })
})

describe('a decision', () => {
  test('an accepted suggestion is the next revision; the author reads who decided, and the note', async () => {
    const targetId = await newProduct()
    const id = await submit(targetId)
    const { status, json } = await decide(id, { decision: 'accepted', note: ' Good catch ' })
    expect([status, json.status, json.decisionNote, json.decidedBy.name]).toEqual([
      200,
      'accepted',
      'Good catch',
      'person1',
    ])
    expect(await recordOf(targetId)).toMatchObject({
      revision: 2,
      fields: { summary: 'Better' },
      pendingSuggestions: 0,
    })
    expect(await newestNotice(author)).toMatchObject({
      type: 'context.suggestion.decided',
      actor: { name: 'person1' },
      payload: { decision: 'accepted', note: 'Good catch' },
    })
    expect(await newestNotice(colleague)).toMatchObject({ type: 'context.product.updated', actor: { name: 'person1' } })
    expect(await newestNotice(platform.admin)).not.toMatchObject({ subject: { id: targetId } })
  })

  test('a rejected suggestion leaves the record unchanged', async () => {
    const targetId = await newProduct()
    const id = await submit(targetId)
    const { json } = await decide(id, { decision: 'rejected', note: 'Not this one' })
    expect([json.status, json.decisionNote]).toEqual(['rejected', 'Not this one'])
    expect(await recordOf(targetId)).toMatchObject({ revision: 1, fields: { summary: 'A widget' } })
    expect(await newestNotice(author)).toMatchObject({ payload: { decision: 'rejected', note: 'Not this one' } })
  })

  test('decisions of the operator name nobody', async () => {
    const id = await submit(await newProduct())
    await decideSuggestion(platform.services, { suggestionId: id, decision: 'accepted' })
    expect((await listed())[0]).not.toHaveProperty('decidedBy')
  })

  test('409 and no change for a second decision, even at the same moment', async () => {
    const targetId = await newProduct()
    const id = await submit(targetId)
    const decisions = [{ decision: 'accepted' }, { decision: 'rejected', note: 'Too late' }]
    const answers = await Promise.all(decisions.map((body) => decide(id, body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const [shown] = await listed()
    const { status, json } = await decide(id, { decision: 'rejected', note: 'Again' })
    expect([status, json.error]).toEqual([409, 'already_exists'])
    expect(json.message).toContain(`already ${shown?.status}`)
    expect(await listed()).toEqual([shown])
    expect((await recordOf(targetId)).revision).toBe(shown?.status === 'accepted' ? 2 : 1)
  })

  test('a suggestion for an older revision stays pending when it is accepted, and can be rejected', async () => {
    const targetId = await newProduct()
    const id = await submit(targetId)
    await put(targetId, { name: 'Widget', summary: 'Changed' })
    const { status, json } = await decide(id, { decision: 'accepted' })
    expect([status, json.error]).toEqual([409, 'already_exists'])
    expect(json.message).toContain('from revision 1 to 2')
    expect((await listed('?status=pending')).map(({ suggestionId }) => suggestionId)).toEqual([id])
    expect((await decide(id, { decision: 'rejected' })).status).toBe(200)
  })

  test('403 permission_denied for members, even the author', async () => {
    const id = await submit(await newProduct())
    for (const key of [author, colleague])
      expect((await decide(id, { decision: 'accepted' }, key)).json.error).toBe('permission_denied')
    expect((await listed())[0]?.status).toBe('pending')
  })

  test('400 invalid_argument for another decision and a note that is too long; 404 for an unknown id', async () => {
    const id = await submit(await newProduct())
    for (const body of [{ decision: 'withdrawn' }, {}, { decision: 'rejected', note: 'x'.repeat(2001) }])
      expect((await decide(id, body)).json.error).toBe('invalid_argument')
    for (const unknown of [randomUUID(), 'no-uuid'])
      expect((await decide(unknown, { decision: 'accepted' })).json.error).toBe('not_found')
  })
})

test('another organization can neither read nor decide', async () => {
  const id = await submit(await newProduct())
  const { id: elsewhere } = await createOrganization(platform.services, { slug: 'elsewhere' })
  await enableSuggestions(platform.services, elsewhere, true)
  const key = await platform.newKey({ organizations: ['elsewhere'] })
  expect(await listed('', key)).toEqual([])
  expect((await platform.request('GET', `/context/suggestions/${id}`, { key })).status).toBe(404)
  expect((await decide(id, { decision: 'accepted' }, key)).json.error).toBe('not_found')
  expect((await listed())[0]?.status).toBe('pending')
})

test('404 not_found on every suggestion route while suggestions are disabled', async () => {
  const { id: organizationId } = platform.organization
  const id = await submit(await newProduct())
  await enableSuggestions(platform.services, organizationId, false)
  try {
    const answers = [
      await platform.request('GET', '/context/suggestions'),
      await platform.request('GET', `/context/suggestions/${id}`),
      await decide(id, { decision: 'accepted' }),
    ]
    for (const { status, json } of answers)
      expect([status, json.message]).toEqual([404, expect.stringContaining('disabled')])
  } finally {
    await enableSuggestions(platform.services, organizationId, true)
  }
})
