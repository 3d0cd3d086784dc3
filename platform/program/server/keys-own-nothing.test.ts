import { randomUUID } from 'node:crypto'
import { glob, readFile } from 'node:fs/promises'

import { afterAll, expect, test } from 'vitest'

import { putRecord } from '#platform/inputs/context-records/put-record.ts'
import { enableSuggestions } from '#platform/inputs/context-suggestions/enable-suggestions.ts'
import { openBulkActions, solved } from '#platform/program/testing/bulk-actions.ts'

const { platform, propose, submit, idsOf, setRuns } = await openBulkActions()
afterAll(() => platform.close())

const creator = await platform.newKey({ email: 'creator@lab.example' })
/** An organization key with the role member, which an admin created. The admin owns everything below. */
const key = await platform.newKey({ email: 'creator@lab.example', kind: 'organization', role: 'member' })

type Listed = { runs: { id: string }[] }
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const asCreator = async (method: Method, path: string, body?: object) => {
  const { status, json } = await platform.request(method, path, { key: creator, body })
  expect([path, status < 300], JSON.stringify(json)).toEqual([path, true])
  return json
}
const withKey = async (method: Method, path: string, body?: object) =>
  (await platform.request(method, path, { key, body })).status

async function suggest() {
  const { id: organizationId } = platform.organization
  await enableSuggestions(platform.services, organizationId, true)
  const target = { kind: 'product' as const, targetId: 'widget' }
  await putRecord(platform.services, { ...target, organizationId, fields: { name: 'Widget', summary: 'A widget' } })
  return asCreator('POST', '/context/suggestions', {
    ...target,
    action: 'submit',
    baseRevision: 1,
    proposed: { summary: 'A better widget' },
    reason: 'It is',
    evidence: [{ url: 'https://example.com/proof', description: 'Proof' }],
    idempotencyKey: randomUUID(),
  })
}

/** For each file that compares a caller with an owner, or needs the person: what the key tries with its creator’s things. */
const attempts: Record<string, () => Promise<void>> = {
  'platform/results/insights/policy.ts': async () => {
    const insight = { heading: 'Mine', slug: 'mine', sql: 'SELECT 1' }
    await asCreator('POST', '/insights', insight)
    expect(await withKey('POST', '/insights', { ...insight, force: true })).toBe(403)
    expect(await withKey('PATCH', '/insights/mine', { heading: 'Yours' })).toBe(403)
    expect(await withKey('POST', '/insights/mine/share', {})).toBe(403)
    expect(await withKey('DELETE', '/insights/mine')).toBe(403)
  },
  'platform/results/reports/sharing/policy.ts': async () => {
    const { report } = await asCreator('POST', '/reports', { title: 'Mine' })
    const documentJson = JSON.stringify({ nodes: [], rules: [], variables: { light: {}, dark: {} } })
    const body = { expectedUpdatedAt: report.updatedAt, documentJson }
    expect(await withKey('PUT', `/reports/${report.id}/publication`, body)).toBe(403)
    expect(await withKey('DELETE', `/reports/${report.id}/publication`)).toBe(403)
  },
  'platform/results/bulk-actions/get-action.ts': async () => {
    await submit('private')
    const { id } = await propose({ kind: 'cancel' }, '?experiment_id=private', creator)
    expect(await withKey('GET', `/bulk-actions/${id}`)).toBe(404)
  },
  'platform/results/bulk-actions/start-action.ts': async () => {
    const { id } = await propose({ kind: 'cancel' }, '?experiment_id=private', creator)
    expect(await withKey('POST', `/bulk-actions/${id}/start`, {})).toBe(403)
    expect(await withKey('POST', `/bulk-actions/${id}/stop`, {})).toBe(403)
  },
  'platform/program/imports/to-import.ts': async () => {
    const { id } = await asCreator('POST', '/imports', {})
    expect(await withKey('GET', `/imports/${id}`)).toBe(404)
  },
  'platform/program/imports/steer-import.ts': async () => {
    const { id } = await asCreator('POST', '/imports', {})
    expect(await withKey('POST', `/imports/${id}/undo`, {})).toBe(403)
  },
  'platform/inputs/context-suggestions/withdraw-suggestion.ts': async () => {
    const { suggestionId, version } = await suggest()
    expect(await withKey('POST', '/context/suggestions', { action: 'withdraw', suggestionId, version })).toBe(403)
  },
  'platform/inputs/context-suggestions/list-suggestions.ts': async () => {
    expect(await withKey('POST', '/context/suggestions', { action: 'list' })).toBe(403)
  },
  'platform/inputs/context-suggestions/review-suggestions.ts': async () => {
    expect(await withKey('GET', '/context/suggestions?own=true')).toBe(403)
    const { json } = await platform.request('GET', '/context/suggestions', { key })
    expect(json.suggestions).toMatchObject([{ isOwn: false }])
  },
  'platform/inputs/credits/balance/get-spend.ts': async () => {
    const { actor } = await asCreator('GET', '/whoami')
    expect(await withKey('GET', '/credits/spend')).toBe(403)
    expect(await withKey('GET', `/credits/spend?user=${actor.id}`)).toBe(403)
  },
  'platform/inputs/credits/usage/get-usage.ts': async () => {
    expect(await withKey('GET', '/admin/v1/usage')).toBe(403)
  },
  'platform/people/identity/members/list-organization-members.ts': async () => {
    const { json } = await platform.request('GET', '/admin/v1/members', { key })
    expect(json.members.map(({ isYou }: { isYou: boolean }) => isYou)).not.toContain(true)
  },
  'platform/results/labels/summarize-review.ts': async () => {
    const requestId = await submit('labeled')
    const [run = ''] = await idsOf(requestId)
    await setRuns([run], solved)
    const { runs } = (await asCreator('GET', `/runs?run_request_id=${requestId}&status=completed`)) as Listed
    await asCreator('POST', `/runs/${encodeURIComponent(runs[0]?.id ?? '')}/labels`, { kind: 'tag', text: 'mine' })
    const path = `/review?run_request_id=${requestId}`
    expect((await asCreator('GET', path)).ownRunIds).not.toEqual([])
    expect((await platform.request('GET', path, { key })).json.ownRunIds).toEqual([])
  },
  'platform/results/saved-views/to-saved-view.ts': async () => {
    await asCreator('POST', '/saved-views', { page: 'runs', name: 'Mine', query: 'status=failed', isShared: false })
    const { json } = await platform.request('GET', '/saved-views?page=runs', { key })
    expect(json.views).toEqual([])
  },
}

/** Files whose routes refuse every organization key before the verb: `http.test.ts` lists these routes. */
const guarded = [
  'platform/results/bulk-actions/plan-action.ts',
  'platform/program/imports/add-files.ts',
  'platform/results/bulk-actions/propose-action.ts',
  'platform/people/identity/api-keys/create-api-key.ts',
  'platform/people/identity/api-keys/list-api-keys.ts',
  'platform/people/identity/api-keys/revoke-api-key.ts',
  'platform/people/identity/api-keys/rotate-api-key.ts',
  'platform/people/invitations/join.ts',
  'platform/people/identity/members/change-membership.ts',
  'platform/people/identity/names/change-names.ts',
  'platform/ground/context/require-role.ts',
  'platform/results/labels/to-label.ts',
  'platform/people/mail/notification-settings.ts',
  'platform/people/mail/send-by-hand.ts',
  'platform/people/notifications/feed-of-caller.ts',
  'platform/results/report-comments/change-comment.ts',
  'platform/results/report-presence/announce-presence.ts',
  'platform/results/saved-views/change-saved-view.ts',
  'platform/results/schedules/to-schedule.ts',
]

test.each(Object.entries(attempts))(
  'an organization key has none of its creator’s rights of ownership in %s',
  (_, attempt) => attempt(),
)

test('every file that asks who owns something is in the lists above, and none compares the name under which it records', async () => {
  const asking: string[] = []
  const comparing: string[] = []
  for await (const file of glob('platform/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') })) {
    const source = await readFile(file, 'utf8')
    if (file !== 'platform/ground/context/caller.ts' && /\b(owns|personOf|personOrNull)\(/.test(source))
      asking.push(file)
    if (/[!=]== ?[\w.?]*recordedUnder|recordedUnder ?[!=]==/.test(source)) comparing.push(file)
  }
  expect(asking.toSorted()).toEqual([...Object.keys(attempts), ...guarded].toSorted())
  expect(comparing).toEqual([])
})
