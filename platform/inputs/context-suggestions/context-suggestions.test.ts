import { randomUUID } from 'node:crypto'

import { sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

import type { ContextSuggestion } from '#contract/context-suggestions.ts'
import type { NotificationEntry } from '#contract/notifications.ts'
import { putRecord } from '#platform/inputs/context-records/put-record.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { enableSuggestions } from './enable-suggestions.ts'
import { showSuggestion } from './show-suggestion.ts'
import { contextSuggestions } from '#platform/ground/database/tables/context-suggestions.ts'

const platform = await openTestPlatform()
const author = await platform.newKey({ role: 'member', email: 'author@lab.example' })
await enableSuggestions(platform.services, platform.organization.id, true)
beforeEach(() => platform.services.db.delete(contextSuggestions))
afterAll(() => platform.close())

const act = (body: object, key = author) => platform.request('POST', '/context/suggestions', { key, body })

/** Creates a new record at revision 1. */
async function newProduct(fields: Record<string, string> = { name: 'Widget', summary: 'A widget' }) {
  const targetId = `widget-${randomUUID().slice(0, 8)}`
  await putRecord(platform.services, { organizationId: platform.organization.id, kind: 'product', targetId, fields })
  return targetId
}

const proposalOf = (targetId: string, more: object = {}) => ({
  action: 'submit',
  kind: 'product',
  targetId,
  baseRevision: 1,
  proposed: { summary: 'A better widget' },
  reason: 'It is',
  evidence: [{ url: 'https://example.com/proof', description: 'Proof' }],
  idempotencyKey: randomUUID(),
  ...more,
})

async function submit(targetId: string, more: object = {}, key = author) {
  const { status, json } = await act(proposalOf(targetId, more), key)
  expect(status).toBe(200)
  return json as { suggestionId: string; status: string; version: number }
}

const list = async (more: object = {}, key = author): Promise<ContextSuggestion[]> =>
  (await act({ action: 'list', ...more }, key)).json.suggestions

const decide = (suggestionId: string, decision: 'accepted' | 'rejected', note?: string) =>
  decideSuggestion(platform.services, { suggestionId, decision, note })

const revisionOf = async (targetId: string) =>
  (await act({ action: 'snapshot', kind: 'product', targetId })).json.revision

test('a viewer reads records and lists suggestions, but submits none', async () => {
  const targetId = await newProduct()
  const viewer = await platform.newKey({ role: 'viewer', email: 'viewer@lab.example' })
  expect((await act({ action: 'snapshot', kind: 'product', targetId }, viewer)).status).toBe(200)
  expect((await act({ action: 'list' }, viewer)).json.suggestions).toEqual([])
  const refused = await act(proposalOf(targetId), viewer)
  expect([refused.status, refused.json.error]).toEqual([403, 'permission_denied'])
})

describe('take a snapshot', () => {
  test('a snapshot contains the revision and every editable field of the kind, including empty ones', async () => {
    const targetId = await newProduct()
    const { status, json } = await act({ action: 'snapshot', kind: 'product', target_id: targetId })
    expect(status).toBe(200)
    expect(json).toEqual({
      action: 'snapshot',
      kind: 'product',
      targetId,
      revision: 1,
      fields: { name: 'Widget', summary: 'A widget', description: '', documentationUrl: '' },
    })
  })

  test('fields keep the order of their kind, in suggestions too', async () => {
    const names = ['name', 'summary', 'goals', 'constraints']
    const fields = Object.fromEntries(names.toReversed().map((name) => [name, `${name} 1`]))
    const [kind, targetId] = ['persona', `reader-${randomUUID().slice(0, 8)}`] as const
    await putRecord(platform.services, { organizationId: platform.organization.id, kind, targetId, fields })
    const { json } = await act({ action: 'snapshot', kind, targetId })
    expect(Object.keys(json.fields)).toEqual(names)
    const proposed = { constraints: 'c', goals: 'g', summary: 's' }
    const { suggestionId } = await submit(targetId, { kind, proposed })
    const [suggestion] = await list()
    for (const part of ['base', 'proposed'] as const)
      expect(Object.keys(suggestion?.[part] ?? {})).toEqual(['summary', 'goals', 'constraints'])
    const lines = await showSuggestion(platform.services, suggestionId)
    expect(lines.filter((line) => line.endsWith(':'))).toEqual(['summary:', 'goals:', 'constraints:'])
  })

  test('404 not_found for a snapshot of a target that is unknown or of another kind', async () => {
    const targetId = await newProduct()
    for (const target of [
      { kind: 'product', targetId: 'nothing' },
      { kind: 'agent', targetId },
    ]) {
      const { status, json } = await act({ action: 'snapshot', ...target })
      expect([status, json.error]).toEqual([404, 'not_found'])
    }
  })
})

describe('the suggestions feature', () => {
  test('404 not_found for every action while suggestions are disabled, and all suggestions are back once enabled', async () => {
    const { id } = platform.organization
    const targetId = await newProduct()
    const { suggestionId } = await submit(targetId)
    await enableSuggestions(platform.services, id, false)
    const withdrawal = { action: 'withdraw', suggestionId, version: 1 }
    for (const body of [
      { action: 'list' },
      { action: 'snapshot', kind: 'product', targetId },
      proposalOf(targetId),
      withdrawal,
    ]) {
      const { status, json } = await act(body)
      expect([status, json.error]).toEqual([404, 'not_found'])
      expect(json.message).toContain('disabled')
    }
    await enableSuggestions(platform.services, id, true)
    expect((await act(withdrawal)).status).toBe(200)
  })
})

describe('submit a suggestion', () => {
  test('a submission returns id, status pending and version 1, and changes nothing shared', async () => {
    const targetId = await newProduct()
    const { json } = await act(proposalOf(targetId))
    expect(json).toEqual({ action: 'submit', suggestionId: expect.any(String), status: 'pending', version: 1 })
    expect(await revisionOf(targetId)).toBe(1)
    expect(await list()).toMatchObject([
      { suggestionId: json.suggestionId, base: { summary: 'A widget' }, proposed: { summary: 'A better widget' } },
    ])
  })

  test('the same submission sent again, concurrently or after a decision, creates one suggestion', async () => {
    const body = proposalOf(await newProduct())
    const answers = await Promise.all(Array.from({ length: 4 }, () => act(body)))
    const ids = new Set(answers.map(({ json }) => json.suggestionId))
    expect(ids.size).toBe(1)
    const [id = ''] = ids
    await decide(id, 'accepted')
    expect((await act(body)).json).toEqual({ action: 'submit', suggestionId: id, status: 'accepted', version: 2 })
    expect(await list()).toHaveLength(1)
  })

  test("another person's submission with the same key is a separate suggestion", async () => {
    const body = proposalOf(await newProduct())
    const [mine, theirs] = [await act(body), await act(body, platform.admin)]
    expect(theirs.json.suggestionId).not.toBe(mine.json.suggestionId)
  })

  test.each([
    ['a field that is not editable', { proposed: { revision: '2' } }],
    ['a field of another kind', { proposed: { goals: 'x' } }],
    ['a blank name', { proposed: { name: ' ' } }],
    ['a URL that is not a web address', { proposed: { documentationUrl: 'javascript:alert(1)' } }],
    ['no field', { proposed: {} }],
    ['a value that the record already has', { proposed: { summary: 'A widget ' } }],
    ['a value that is not text', { proposed: { summary: 1 } }],
    ['a blank reason', { reason: '  ' }],
    ['no reason', { reason: undefined }],
    ['no evidence', { evidence: undefined }],
    [
      'six evidence items',
      { evidence: Array.from({ length: 6 }, () => ({ url: 'https://e.example', description: '' })) },
    ],
    ['evidence that is not a web address', { evidence: [{ url: 'file:///etc/passwd', description: '' }] }],
    ['a key that is not a UUID', { idempotencyKey: 'again' }],
    ['an unknown kind', { kind: 'company' }],
    ['no base revision', { baseRevision: undefined }],
    ['a replaced suggestion without its version', { replacesRequestId: randomUUID() }],
    ['a version without a replaced suggestion', { expectedVersion: 1 }],
  ])('400 invalid_argument for a submission with %s, and nothing is stored', async (_, wrong) => {
    const { status, json } = await act(proposalOf(await newProduct(), wrong))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(await list()).toEqual([])
  })

  test('400 invalid_argument for a key of another submission', async () => {
    const targetId = await newProduct()
    const idempotencyKey = randomUUID()
    await submit(targetId, { idempotencyKey })
    const { status, json } = await act(proposalOf(targetId, { idempotencyKey, reason: 'Another' }))
    expect([status, json.error]).toEqual([400, 'invalid_argument'])
    expect(json.message).toContain('idempotencyKey')
  })

  test('404 not_found for a submission about an unknown target', async () => {
    expect((await act(proposalOf('nothing'))).status).toBe(404)
  })

  test('409 when the record has changed since the snapshot, with the advice to take a new one', async () => {
    const targetId = await newProduct()
    const fields = { name: 'Renamed' }
    await putRecord(platform.services, { organizationId: platform.organization.id, kind: 'product', targetId, fields })
    const { status, json } = await act(proposalOf(targetId))
    expect([status, json.error]).toEqual([409, 'already_exists'])
    expect(json.message).toContain('new snapshot')
    expect(await list()).toEqual([])
  })

  test('429 resource_exhausted with 20 pending suggestions; a replaced or withdrawn one makes room', async () => {
    const targetId = await newProduct()
    const made = []
    for (let at = 0; at < 20; at += 1) made.push(await submit(targetId))
    const refused = await act(proposalOf(targetId))
    expect([refused.status, refused.json.error]).toEqual([429, 'resource_exhausted'])
    const [first, second] = made
    await submit(targetId, { replacesRequestId: first?.suggestionId, expectedVersion: 1 })
    await act({ action: 'withdraw', suggestionId: second?.suggestionId, version: 1 })
    await submit(targetId)
    expect((await act(proposalOf(targetId))).status).toBe(429)
    await submit(targetId, {}, platform.admin)
  })

  test('429 resource_exhausted after 60 submissions in an hour, even when they race', async () => {
    const targetId = await newProduct()
    for (let at = 0; at < 58; at += 1) {
      const { suggestionId } = await submit(targetId)
      await act({ action: 'withdraw', suggestionId, version: 1 })
    }
    const racing = await Promise.all(Array.from({ length: 6 }, () => act(proposalOf(targetId))))
    expect(racing.map(({ status }) => status).toSorted()).toEqual([200, 200, 429, 429, 429, 429])
    await platform.services.db.update(contextSuggestions).set({ createdAt: sql`now() - interval '61 minutes'` })
    await submit(targetId)
  })
})

describe('replace a suggestion', () => {
  test('a replaced suggestion is superseded, and can be neither withdrawn nor decided', async () => {
    const targetId = await newProduct()
    const { suggestionId } = await submit(targetId)
    const newer = await submit(targetId, { replacesRequestId: suggestionId.toUpperCase(), expectedVersion: 1 })
    expect(await list()).toMatchObject([
      { suggestionId: newer.suggestionId, status: 'pending', replacesRequestId: suggestionId },
      { suggestionId, status: 'superseded', version: 2 },
    ])
    expect((await act({ action: 'withdraw', suggestionId, version: 2 })).status).toBe(409)
    await expect(decide(suggestionId, 'accepted')).rejects.toThrow('already superseded')
  })

  test('409 for a replacement of an outdated version or of a suggestion that is not pending; nothing is submitted', async () => {
    const targetId = await newProduct()
    const { suggestionId } = await submit(targetId)
    const wrong = { replacesRequestId: suggestionId, expectedVersion: 2 }
    expect((await act(proposalOf(targetId, wrong))).status).toBe(409)
    await decide(suggestionId, 'rejected')
    expect((await act(proposalOf(targetId, wrong))).status).toBe(409)
    expect(await list()).toHaveLength(1)
  })

  test("404 for a replacement of another person's suggestion; 400 for one about another record", async () => {
    const [targetId, other] = [await newProduct(), await newProduct()]
    const theirs = await submit(targetId, {}, platform.admin)
    const mine = await submit(other)
    const replacing = (id: string) => proposalOf(targetId, { replacesRequestId: id, expectedVersion: 1 })
    expect((await act(replacing(theirs.suggestionId))).status).toBe(404)
    expect((await act(replacing(mine.suggestionId))).status).toBe(400)
  })
})

describe('withdraw a suggestion', () => {
  test('a withdrawal returns id, status and version, and the same again when repeated', async () => {
    const { suggestionId } = await submit(await newProduct())
    const body = { action: 'withdraw', suggestionId, version: 1 }
    const withdrawn = { action: 'withdraw', suggestionId, status: 'withdrawn', version: 2 }
    expect((await act(body)).json).toEqual(withdrawn)
    expect((await act(body)).json).toEqual(withdrawn)
    expect((await act({ ...body, version: 2 })).status).toBe(409)
  })

  test("404 not_found for a withdrawal of another person's suggestion, an unknown one or an invalid id", async () => {
    const { suggestionId } = await submit(await newProduct(), {}, platform.admin)
    for (const id of [suggestionId, randomUUID(), 'none'])
      expect((await act({ action: 'withdraw', suggestionId: id, version: 1 })).status).toBe(404)
    expect((await list({}, platform.admin))[0]?.status).toBe('pending')
  })

  test('409 for a withdrawal of a suggestion that was decided meanwhile', async () => {
    const { suggestionId } = await submit(await newProduct())
    await decide(suggestionId, 'accepted')
    const { status, json } = await act({ action: 'withdraw', suggestionId, version: 1 })
    expect([status, json.error]).toEqual([409, 'already_exists'])
  })

  test('400 invalid_argument for a withdrawal without a version', async () => {
    expect((await act({ action: 'withdraw', suggestionId: randomUUID() })).status).toBe(400)
  })
})

describe('list suggestions', () => {
  test("the list has the caller's own suggestions, newest first, and with pendingOnly only the pending ones", async () => {
    const targetId = await newProduct()
    const [first, second] = [await submit(targetId), await submit(targetId)]
    await submit(targetId, {}, platform.admin)
    await decide(first.suggestionId, 'rejected', 'Not now')
    expect(await list()).toMatchObject([
      { suggestionId: second.suggestionId, status: 'pending', targetName: 'Widget' },
      { suggestionId: first.suggestionId, status: 'rejected', decisionNote: 'Not now' },
    ])
    expect(await list({ pending_only: true })).toHaveLength(1)
  })

  test('the list with a suggestionId has that suggestion of the caller, whatever its age and status, or none', async () => {
    const targetId = await newProduct()
    const [asked] = [await submit(targetId), await submit(targetId)]
    const theirs = await submit(targetId, {}, platform.admin)
    await decide(asked.suggestionId, 'rejected')
    const { suggestionId } = asked
    expect(await list({ suggestionId })).toMatchObject([{ suggestionId, status: 'rejected' }])
    for (const other of [theirs.suggestionId, randomUUID(), 'none of ours'])
      expect(await list({ suggestionId: other })).toEqual([])
  })

  test('pages of suggestions neither repeat nor skip one while others are created and withdrawn', async () => {
    const targetId = await newProduct()
    const made = []
    for (let at = 0; at < 7; at += 1) made.push((await submit(targetId)).suggestionId)
    const seen: string[] = []
    let pageToken: string | undefined
    do {
      const { json } = await act({ action: 'list', pageSize: 2, pageToken })
      seen.push(...json.suggestions.map((suggestion: ContextSuggestion) => suggestion.suggestionId))
      pageToken = json.nextPageToken
      await submit(targetId)
      await act({ action: 'withdraw', suggestionId: made[seen.length % 7], version: 1 })
    } while (pageToken !== undefined)
    expect(seen).toEqual(made.toReversed())
    expect((await act({ action: 'list', pageToken: 'x' })).status).toBe(400)
  })
})

test('400 invalid_argument for a pageToken from a list with other filters', async () => {
  const targetId = await newProduct()
  for (let at = 0; at < 2; at += 1) await submit(targetId)
  const { nextPageToken } = (await act({ action: 'list', pageSize: 1 })).json
  const { status, json } = await act({ action: 'list', pendingOnly: true, pageToken: nextPageToken })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

describe('the organization’s decision', () => {
  const notifications = async (key: string) => {
    const { entries } = (await platform.request('GET', '/notifications', { key })).json
    return (entries as NotificationEntry[]).filter(({ type }) => type.startsWith('context.'))
  }

  test('accepting applies the change as the next revision, and notifies every member of it and the author of the decision', async () => {
    const targetId = await newProduct()
    const { suggestionId } = await submit(targetId)
    expect(await decide(suggestionId, 'accepted', ' Thanks ')).toEqual({ status: 'accepted', version: 2, revision: 2 })
    const { json } = await act({ action: 'snapshot', kind: 'product', targetId })
    expect(json).toMatchObject({ revision: 2, fields: { name: 'Widget', summary: 'A better widget' } })
    const payload = { name: 'Widget', revision: 2, changed_fields: ['summary'], suggestion_id: suggestionId }
    const [decided, updated] = await notifications(author)
    expect(updated).toMatchObject({
      type: 'context.product.updated',
      subject: { type: 'product', id: targetId },
      payload,
    })
    expect(decided).toMatchObject({
      type: 'context.suggestion.decided',
      subject: { type: 'context_suggestion', id: suggestionId },
      payload: { decision: 'accepted', kind: 'product', target_id: targetId, name: 'Widget', note: 'Thanks' },
    })
    expect((await notifications(platform.admin)).map(({ type }) => type)).toContain('context.product.updated')
  })

  test('rejecting changes nothing shared', async () => {
    const targetId = await newProduct()
    const { suggestionId } = await submit(targetId)
    await decide(suggestionId, 'rejected')
    expect(await revisionOf(targetId)).toBe(1)
    expect((await notifications(author))[0]).toMatchObject({ payload: { decision: 'rejected', note: null } })
  })

  test('a suggestion is decided once, even with concurrent decisions', async () => {
    const { suggestionId } = await submit(await newProduct())
    const deciding = [
      decide(suggestionId, 'accepted'),
      decide(suggestionId, 'rejected'),
      decide(suggestionId, 'accepted'),
    ]
    const settled = await Promise.allSettled(deciding)
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(decide(suggestionId, 'rejected')).rejects.toThrow(/already (accepted|rejected); nothing was decided/)
    const decisions = (await notifications(author)).filter(({ subject }) => subject.id === suggestionId)
    expect(decisions).toHaveLength(1)
  })

  test('of two suggestions for one revision, the second cannot be accepted and stays pending, but can be rejected', async () => {
    const targetId = await newProduct()
    const [first, second] = [await submit(targetId), await submit(targetId, { proposed: { name: 'Gadget' } })]
    await decide(first.suggestionId, 'accepted')
    await expect(decide(second.suggestionId, 'accepted')).rejects.toThrow('moved from revision 1 to 2')
    expect((await list({ pendingOnly: true }))[0]).toMatchObject({
      suggestionId: second.suggestionId,
      targetRevision: 2,
    })
    await decide(second.suggestionId, 'rejected')
    expect((await act({ action: 'snapshot', kind: 'product', targetId })).json.fields.name).toBe('Widget')
  })

  test('the operator sees the change as a diff', async () => {
    const { suggestionId } = await submit(await newProduct(), { proposed: { summary: 'One\ntwo', description: 'New' } })
    const lines = await showSuggestion(platform.services, suggestionId)
    expect(lines).toEqual(expect.arrayContaining(['summary:', '  - A widget', '  + One', '  + two', '  + New']))
  })

  test('putting an unchanged record creates no revision and notifies nobody', async () => {
    const targetId = await newProduct()
    const before = (await notifications(author)).length
    const record = { organizationId: platform.organization.id, kind: 'product' as const, targetId }
    const fields = { name: 'Widget', summary: 'A widget' }
    expect(await putRecord(platform.services, { ...record, fields })).toEqual({ isNew: false, revision: 1 })
    expect((await notifications(author)).length).toBe(before)
  })
})
