import { expect, test } from 'vitest'

import { changedFields, draftField, evidenceOf, newDraft, withKey } from './suggestion-draft.ts'

const snapshot = {
  kind: 'product',
  targetId: 'assay',
  revision: 3,
  fields: { name: 'Assay', summary: 'Old', description: '' },
} as const
const draft = newDraft(snapshot, undefined)

test('a suggestion contains only changed fields, trimmed', () => {
  const fields = { name: 'Assay ', summary: ' New', unknown: 'x' }
  expect(changedFields({ ...draft, fields }, snapshot)).toEqual({ summary: 'New' })
})

test('a suggestion omits a field that the record already contains', () => {
  const written = { ...draft, fields: { summary: 'New' } }
  expect(changedFields(written, { ...snapshot, revision: 4, fields: { ...snapshot.fields, summary: 'New' } })).toEqual(
    {},
  )
})

test('empty evidence links are omitted', () => {
  const evidence = [
    { id: 'a', url: ' ', description: '' },
    { id: 'b', url: 'https://e.example', description: '' },
  ]
  expect(evidenceOf({ ...draft, evidence })).toEqual([{ url: 'https://e.example', description: '' }])
})

test('a suggestion keeps its idempotency key, even after a reload, until its content changes', () => {
  let made = 0
  const newKey = () => `key ${(made += 1)}`
  const first = withKey(draft, { reason: 'a' }, newKey)
  const kept = JSON.parse(JSON.stringify(first.draft)) as typeof first.draft
  expect(withKey(kept, { reason: 'a' }, newKey).key).toBe('key 1')
  expect(withKey(kept, { reason: 'b' }, newKey).key).toBe('key 2')
})

test('an error of a sent suggestion belongs to the field of the draft that it came from', () => {
  const evidence = [
    { id: 'a', url: ' ', description: '' },
    { id: 'b', url: 'e.example', description: '' },
  ]
  const paths = ['proposed.summary', 'reason', 'evidence.0.url', 'evidence.1.url', 'evidence', 'targetId']
  expect(paths.map((path) => draftField(path, { ...draft, evidence }))).toEqual([
    'fields.summary',
    'reason',
    'evidence.1.url',
    undefined,
    undefined,
    undefined,
  ])
})
