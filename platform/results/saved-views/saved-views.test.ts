import { afterAll, expect, test } from 'vitest'

import type { SavedView } from '#contract/saved-views.ts'
import { limits } from '#contract/wire/limit.ts'
import { createOrganization } from '#platform/people/identity/create-organization.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const platform = await openTestPlatform()
const colleague = await platform.newKey({ role: 'member', email: 'max@lab.example' })
afterAll(() => platform.close())

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const call = (method: Method, path: string, body?: unknown, key = platform.admin) =>
  platform.request(method, `/saved-views${path}`, { key, body })

let names = 0
async function save(fields: Partial<SavedView> = {}, key = platform.admin): Promise<SavedView> {
  names += 1
  const { status, json } = await call(
    'POST',
    '',
    { name: `View ${names}`, page: 'runs', query: 'agent=droid', ...fields },
    key,
  )
  expect(status, JSON.stringify(json)).toBe(201)
  return json as SavedView
}

const namesSeenBy = async (key: string) =>
  ((await call('GET', '?page_size=1000', undefined, key)).json.views as SavedView[]).map(({ name }) => name)

test('a saved view is listed for its author alone until it is shared', async () => {
  const view = await save({ query: 'agent=droid&sort=-time' })
  expect(view).toMatchObject({
    page: 'runs',
    query: 'agent=droid&sort=-time',
    isShared: false,
    canChange: true,
    isFavorite: false,
    isDefault: false,
  })
  expect(await namesSeenBy(platform.admin)).toContain(view.name)
  expect(await namesSeenBy(colleague)).not.toContain(view.name)
  await call('PATCH', `/${view.id}`, { isShared: true })
  expect(await namesSeenBy(colleague)).toContain(view.name)
})

test('404 for a view of somebody else that is not shared, as for one that does not exist', async () => {
  const own = await save()
  for (const id of [own.id, '00000000-0000-4000-8000-000000000000', 'nonsense'])
    for (const [method, path, body] of [
      ['PATCH', `/${id}`, { name: 'Mine now' }],
      ['DELETE', `/${id}`, undefined],
      ['PUT', `/${id}/marks`, { isFavorite: true }],
    ] as const) {
      const { status, json } = await call(method, path, body, colleague)
      expect([status, json.message]).toEqual([404, 'There is no such saved view'])
    }
})

test('a shared view is changed by its author and by admins, and only marked by others', async () => {
  const view = await save({ isShared: true }, colleague)
  const another = await platform.newKey({ role: 'member', email: 'eve@lab.example' })
  for (const answer of [
    await call('PATCH', `/${view.id}`, { name: 'Taken over' }, another),
    await call('DELETE', `/${view.id}`, undefined, another),
  ])
    expect([answer.status, answer.json.error]).toEqual([403, 'permission_denied'])
  const marked = await call('PUT', `/${view.id}/marks`, { isFavorite: true }, another)
  expect(marked.json).toMatchObject({ isFavorite: true, canChange: false })
  expect((await call('PATCH', `/${view.id}`, { name: 'Renamed by an admin' })).json).toMatchObject({
    name: 'Renamed by an admin',
    createdBy: { email: 'max@lab.example' },
  })
  expect((await call('DELETE', `/${view.id}`)).status).toBe(204)
  expect((await call('DELETE', `/${view.id}`)).status).toBe(404)
})

test('marks belong to one person, and a page has one default', async () => {
  const [first, second] = [await save({ isShared: true }), await save({ isShared: true })]
  await call('PUT', `/${first.id}/marks`, { isDefault: true, isFavorite: true })
  await call('PUT', `/${first.id}/marks`, { isDefault: true }, colleague)
  const answer = await call('PUT', `/${second.id}/marks`, { isDefault: true })
  expect(answer.json).toMatchObject({ isDefault: true, isFavorite: false })
  const marksSeenBy = async (key: string) =>
    ((await call('GET', '?page=runs&page_size=1000', undefined, key)).json.views as SavedView[])
      .filter(({ isDefault, isFavorite }) => isDefault || isFavorite)
      .map(({ id, isDefault, isFavorite }) => [id, isDefault, isFavorite])
  expect((await marksSeenBy(platform.admin)).toSorted()).toEqual(
    [
      [first.id, false, true],
      [second.id, true, false],
    ].toSorted(),
  )
  expect(await marksSeenBy(colleague)).toEqual([[first.id, true, false]])
  await call('PUT', `/${second.id}/marks`, { isDefault: false })
  expect(await marksSeenBy(platform.admin)).toEqual([[first.id, false, true]])
})

test('many people who make one view their default at once, and its end meanwhile, leave no error', async () => {
  const view = await save({ isShared: true })
  const answers = await Promise.all([
    ...[1, 2, 3].map(() => call('PUT', `/${view.id}/marks`, { isDefault: true })),
    call('DELETE', `/${view.id}`),
    ...[1, 2, 3].map(() => call('PUT', `/${view.id}/marks`, { isFavorite: true, isDefault: true }, colleague)),
  ])
  for (const { status } of answers) expect([200, 204, 404]).toContain(status)
  expect(await namesSeenBy(colleague)).not.toContain(view.name)
})

test('409 for a name that the person uses on the page, even if sent twice at once', async () => {
  const name = 'Slow runs'
  const answers = await Promise.all([1, 2].map(() => call('POST', '', { name, page: 'runs', query: '' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect((await call('POST', '', { name, page: 'reports', query: '' })).status).toBe(201)
  expect((await call('POST', '', { name, page: 'runs', query: '' }, colleague)).status).toBe(201)
  const other = await save()
  const renamed = await call('PATCH', `/${other.id}`, { name })
  expect([renamed.status, renamed.json.message]).toEqual([409, `You already have a view named "${name}" on this page`])
  expect((await call('PATCH', `/${other.id}`, { name: other.name })).status).toBe(200)
})

test('a view of an experiment names one that exists, and other pages have none', async () => {
  const view = { name: 'Of one experiment', query: 'view=heatmap' }
  for (const [body, status] of [
    [{ ...view, page: 'experimentResults' }, 400],
    [{ ...view, page: 'runs', experimentId: 'any' }, 400],
    [{ ...view, page: 'experimentResults', experimentId: 'no-such' }, 404],
  ] as const)
    expect((await call('POST', '', body)).status).toBe(status)
})

test.each([
  ['a blank name', { name: '  ' }],
  ['a name of 81 characters', { name: 'x'.repeat(81) }],
  ['an unknown page', { page: 'secrets' }],
  ['a query that leads to another page', { query: '#/secrets' }],
  ['a query with a question mark', { query: '?agent=a' }],
  ['a query with a line break', { query: 'agent=a\n' }],
  ['a query that is too long', { query: 'a'.repeat(limits.savedViewQuery + 1) }],
])('400 for %s', async (_, fields) => {
  const { status, json } = await call('POST', '', { name: 'Fine', page: 'runs', query: '', ...fields })
  expect([status, json.error]).toEqual([400, 'invalid_argument'])
})

test('400 for a change or a mark that changes nothing', async () => {
  const { id } = await save()
  expect((await call('PATCH', `/${id}`, {})).status).toBe(400)
  expect((await call('PUT', `/${id}/marks`, {})).status).toBe(400)
})

test('pages of the list are in order of name and repeat nothing, and a page can be asked for', async () => {
  const key = await platform.newKey({ role: 'member', email: 'lister@lab.example' })
  for (const name of ['C', 'A', 'B']) await save({ name, page: 'insights' }, key)
  const first = (await call('GET', '?page=insights&page_size=2', undefined, key)).json
  const next = (await call('GET', `?page=insights&page_size=2&page_token=${first.nextPageToken}`, undefined, key)).json
  expect([...first.views, ...next.views].map(({ name }: SavedView) => name)).toEqual(['A', 'B', 'C'])
  expect(next.nextPageToken).toBeUndefined()
})

test('an organization key reads shared views, and saves none', async () => {
  const shared = await save({ isShared: true })
  const own = await save()
  const { json } = await platform.request('POST', '/admin/v1/keys', { body: { name: 'CI', role: 'member' } })
  const seen = await namesSeenBy(json.key)
  expect(seen).toContain(shared.name)
  expect(seen).not.toContain(own.name)
  expect((await call('POST', '', { name: 'By CI', page: 'runs', query: '' }, json.key)).status).toBe(403)
})

test('another organization sees nothing of it', async () => {
  const shared = await save({ isShared: true })
  await createOrganization(platform.services, { slug: 'foreign' })
  const stranger = await platform.newKey({ role: 'admin', organizations: ['foreign'], email: 'x@foreign.example' })
  expect(await namesSeenBy(stranger)).toEqual([])
  expect((await call('PUT', `/${shared.id}/marks`, { isFavorite: true }, stranger)).status).toBe(404)
})
