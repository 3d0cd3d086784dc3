import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { Definition } from '#contract/definition.ts'
import { modelServerFault, noRunRules, policyFaults, type RunRules } from '#contract/run-policy.ts'
import { runCommand } from '#platform/program/operator/run-command.ts'
import { pinnedLoader } from '#platform/engine/run-engine/plan/load-pinned.ts'
import { planRun } from '#platform/engine/run-engine/plan/plan-run.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

let member: string
const platform = await openTestPlatform()
beforeAll(async () => {
  member = await platform.newKey({ role: 'member' })
  await platform.request('POST', '/experiments', { yaml })
})
beforeEach(() => put({}))
afterAll(() => platform.close())

const yaml = `id: open
name: Open
agents: [{id: a, command: [x]}]
limits: {maxTimeSeconds: 600}
environments:
  - {id: offline}
  - {id: public, network: true}
  - {id: some, network: {allow: [api.example.com, "*.example.org:443"]}}
  - {id: image, image: "registry.example.com/team/app:1"}
`

const read = async () => (await platform.request('GET', '/admin/v1/run-policy')).json
const put = async (rules: Partial<RunRules>, key = platform.admin, expectedUpdatedAt?: string | null) => {
  const expected = expectedUpdatedAt === undefined ? (await read()).updatedAt : expectedUpdatedAt
  return platform.request('PUT', '/admin/v1/run-policy', {
    key,
    body: { ...noRunRules, ...rules, expectedUpdatedAt: expected },
  })
}
const submit = (environment: string, more = {}) =>
  platform.request('POST', '/experiments/open/runs', { key: member, body: { environmentIds: [environment], ...more } })

test('an organization has no rules until an admin sets them, and everyone sees them', async () => {
  const fresh = await openTestPlatform()
  const { json } = await fresh.request('GET', '/admin/v1/run-policy')
  expect(json).toEqual({ ...noRunRules, updatedAt: null })
  await fresh.close()
  expect(await put({ network: 'none' })).toMatchObject({ status: 200, json: { network: 'none' } })
  const { json: seen } = await platform.request('GET', '/admin/v1/run-policy', { key: member })
  expect(seen).toMatchObject({ network: 'none', updatedAt: expect.any(String) })
  expect(await put({}, member)).toMatchObject({ status: 403, json: { error: 'permission_denied' } })
})

test('of two admins who change the policy at once, the second gets a conflict and nothing is lost', async () => {
  const { updatedAt } = await read()
  const answers = await Promise.all([
    put({ network: 'none' }, platform.admin, updatedAt),
    put({ images: 'none' }, platform.admin, updatedAt),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const stored = await read()
  expect(stored).toEqual(answers.find(({ status }) => status === 200)?.json)
  const refused = await put({ maxCostUsd: 1 }, platform.admin, updatedAt)
  expect(refused).toMatchObject({ status: 409, json: { error: 'already_exists' } })
  expect(refused.json.message).toContain('nothing was saved')
  expect(await put({}, platform.admin, null)).toMatchObject({ status: 409 })
  expect(await read()).toEqual(stored)
  const { json } = await platform.request('GET', '/admin/v1/audit-events?event=run-policy.set')
  expect(json.events.filter(({ details }: { details: object }) => 'maxCostUsd' in details)).toEqual([])
})

test('of two admins who make the first policy at once, only one is stored', async () => {
  const fresh = await openTestPlatform()
  const body = { ...noRunRules, expectedUpdatedAt: null }
  const answers = await Promise.all(
    ['none', 'public'].map((network) => fresh.request('PUT', '/admin/v1/run-policy', { body: { ...body, network } })),
  )
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  await fresh.close()
})

const run = (name: string, input: object) => runCommand(platform.services, name, { org: 'lab', ...input }, () => {})
const shown = async () => JSON.parse((await run('run-policy show', {})).join('\n'))

test('the operator shows the policy, changes a part of it, and does not overwrite a newer one', async () => {
  await put({ blockedHosts: ['bad.example'] })
  const before = await shown()
  expect(before).toEqual(await read())
  await run('run-policy set', { rules: { maxCostUsd: 2 } })
  expect(await shown()).toMatchObject({ blockedHosts: ['bad.example'], maxCostUsd: 2 })
  await expect(run('run-policy set', { rules: { ...before, network: 'none' } })).rejects.toThrow('changed since')
  await expect(run('run-policy set', { rules: { netwrok: 'none' } })).rejects.toThrow('netwrok')
  expect(await shown()).toMatchObject({ network: 'public', maxCostUsd: 2 })
})

test('a policy that was stored under the first names is shown with the names of today', async () => {
  const { network: _network, images: _images, blockedHosts: _blocked, ...same } = noRunRules
  const stored = JSON.stringify({ ...same, network: 'listed', images: 'listed', refusedHosts: ['bad.example'] })
  await platform.services.db.execute(sql`update run_policies set rules = ${stored}::jsonb`)
  const shown = { ...same, network: 'allowed', images: 'allowed', blockedHosts: ['bad.example'] }
  expect((await platform.request('GET', '/admin/v1/run-policy')).json).toMatchObject(shown)
})

test.each([
  [{ network: 'sometimes' }, 'network'],
  [{ allowedHosts: ['https://x.example'] }, 'allowedHosts.0'],
  [{ registries: ['a b'] }, 'registries.0'],
  [{ maxTimeSeconds: 0 }, 'maxTimeSeconds'],
  [{ maxCostUsd: -1 }, 'maxCostUsd'],
])('400 invalid_argument for the rules %j, which change nothing', async (rules, path) => {
  const { status, json } = await put(rules as unknown as Partial<RunRules>)
  expect([status, json.issues?.[0]?.path]).toEqual([400, path])
  expect((await platform.request('GET', '/admin/v1/run-policy')).json).toMatchObject(noRunRules)
})

test.each([
  ['public', { network: 'none' }, 'environments.public.network', 'network access is not allowed'],
  ['some', { network: 'none' }, 'environments.some.network', 'network access is not allowed'],
  [
    'public',
    { network: 'allowed', allowedHosts: ['api.example.com'] },
    'environments.public.network',
    'only allowed hosts',
  ],
  ['some', { network: 'allowed', allowedHosts: ['api.example.com'] }, 'environments.some.network', '*.example.org:443'],
  ['some', { blockedHosts: ['api.example.com'] }, 'environments.some.network', 'the host api.example.com is blocked'],
  ['image', { images: 'none' }, 'environments.image.image', 'images are not allowed'],
  ['image', { images: 'allowed', registries: ['docker.io'] }, 'environments.image.image', 'registry.example.com'],
  ['offline', { maxTimeSeconds: 60 }, 'limits.maxTimeSeconds', 'at most 60 seconds'],
] as const)('a submission of %s under %j is refused with the field', async (environment, rules, path, message) => {
  await put(rules as unknown as Partial<RunRules>)
  const { status, json } = await submit(environment)
  expect([status, json.error, json.issues[0].path]).toEqual([412, 'failed_precondition', path])
  expect(json.message).toContain(message)
  const estimate = await platform.request('POST', '/experiments/open/runs/estimate', {
    body: { environmentIds: [environment] },
  })
  expect(estimate.json.refusals).toEqual(json.issues)
  expect((await submit(environment, { mock: true })).status).toBe(202)
})

test('what the rules allow is queued, and environments that are not selected do not count', async () => {
  await put({ network: 'none', images: 'none' })
  expect((await submit('offline')).status).toBe(202)
  await put({
    network: 'allowed',
    allowedHosts: ['api.example.com', '*.example.org'],
    images: 'allowed',
    registries: ['registry.example.com'],
  })
  for (const environment of ['some', 'image']) expect((await submit(environment)).status).toBe(202)
})

test('a run submitted before the rules is refused when it starts, with the reason, and limits are cut', async () => {
  const { db, keys, blobs } = platform.services
  const vault = { db, keys, blobs, loadPinned: pinnedLoader(db) }
  for (const environment of ['public', 'offline']) await submit(environment)
  await put({ network: 'none', maxTimeSeconds: 900, maxCostUsd: 2 })
  const claimed = await claimRuns(platform.services.db, { workerId: 'w', leaseSeconds: 60 }, 100)
  const planOf = async (environment: string) => {
    const run = claimed.find((each) => each.environment === environment && !each.mock)
    if (!run) throw new Error('No such run was queued')
    return planRun(vault, run)
  }
  expect((await planOf('public')).refusal).toContain('environments.public.network')
  expect(await planOf('offline')).toMatchObject({ refusal: null, budgetSeconds: 600, costLimits: { run: 2 } })
  await put({ maxTimeSeconds: 600 })
  expect((await planOf('public')).refusal).toBeNull()
})

const faults = (rules: Partial<RunRules>, environment: object) =>
  policyFaults(
    { ...noRunRules, ...rules },
    Definition.parse({
      id: 'e',
      name: 'E',
      agents: [{ id: 'a', command: ['x'] }],
      environments: [{ id: 'v', ...environment }],
    }),
    [{ environment: 'v', prompt: null, agent: 'a', model: null }],
  ).length

test.each([
  ['api.example.com', 'api.example.com', true],
  ['api.example.com', 'API.example.com.', true],
  ['api.example.com', 'api.example.com:8443', true],
  ['api.example.com:443', 'api.example.com', false],
  ['api.example.com', '*.api.example.com', false],
  ['*.example.com', 'api.example.com', true],
  ['*.example.com', '*.example.com', true],
  ['*.example.com', '*.a.example.com', true],
  ['*.a.example.com', '*.example.com', false],
  ['*.example.com', 'example.com', false],
  ['*.example.com', 'badexample.com', false],
])('the allowed host %s allows an environment %s: %s', (allowed, asked, isAllowed) => {
  const rules = { network: 'allowed' as const, allowedHosts: [allowed] }
  expect(faults(rules, { network: { allow: [asked] } })).toBe(isAllowed ? 0 : 1)
})

test('a build is refused where the network or the images are limited, because it reaches every public address', () => {
  const build = { context: [{ content: 'FROM node:24', dest: 'Dockerfile' }] }
  expect(faults({}, { build })).toBe(0)
  for (const rules of [
    { network: 'allowed' as const },
    { blockedHosts: ['x.example'] },
    { images: 'allowed' as const },
  ])
    expect(faults(rules, { build })).toBe(1)
})

test('where hosts are blocked, an environment may not name addresses, which would be another way to them', () => {
  const network = { allow: ['203.0.113.9:443', '[2001:db8::1]'] }
  expect(faults({ blockedHosts: ['evil.example.com'] }, { network })).toBe(2)
  expect(faults({}, { network })).toBe(0)
  expect(faults({ network: 'allowed', allowedHosts: network.allow }, { network })).toBe(0)
})

test('the longest time is also that of each build step', () => {
  const ci = { command: ['make'], timeoutSeconds: 61 }
  expect(faults({ maxTimeSeconds: 60 }, { ci })).toBe(1)
  expect(faults({ maxTimeSeconds: 61 }, { ci })).toBe(0)
})

test('the run policy applies to a custom model server', () => {
  const rules = { ...noRunRules, network: 'allowed' as const, allowedHosts: ['models.example.com'] }
  expect(modelServerFault(rules, 'models.example.com')).toBeNull()
  expect(modelServerFault(rules, 'evil.example.com')).toMatchObject({ path: 'env' })
  expect(modelServerFault({ ...noRunRules, blockedHosts: ['*.example.com'] }, 'a.example.com')).not.toBeNull()
  expect(modelServerFault(noRunRules, 'a.example.com')).toBeNull()
  const both = { ...noRunRules, network: 'allowed' as const, allowedHosts: ['*.example.com'] }
  expect(modelServerFault({ ...both, blockedHosts: ['evil.example.com'] }, 'evil.example.com:443')).not.toBeNull()
  const withPort = { ...noRunRules, network: 'allowed' as const, allowedHosts: ['models.example.com:8443'] }
  expect(modelServerFault(withPort, 'models.example.com:8443')).toBeNull()
  expect(modelServerFault(withPort, 'models.example.com:443')).not.toBeNull()
  const refused = { ...noRunRules, blockedHosts: ['evil.example.com'] }
  for (const address of ['203.0.113.9:443', '[2001:db8::1]:443']) {
    expect(modelServerFault(refused, address)).not.toBeNull()
    expect(modelServerFault(noRunRules, address)).toBeNull()
  }
})
