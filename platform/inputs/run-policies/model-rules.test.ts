import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { modelFault } from '#contract/model-rules.ts'
import { noRunRules, type RunRules } from '#contract/run-policy.ts'
import { planRun } from '#platform/engine/run-engine/plan/plan-run.ts'
import { pinnedLoader } from '#platform/engine/run-engine/plan/load-pinned.ts'
import { claimRuns } from '#platform/queue/run-queue/claim-runs.ts'
import { openTestPlatform } from '#platform/program/testing/test-platform.ts'

const managedKeys = { anthropic: 'sk-operator' }
const platform = await openTestPlatform()
beforeAll(async () => {
  Object.assign(platform.services.creditTerms, { managedKeys })
  await platform.request('PUT', '/secrets/mine', { body: { value: 'sk-mine' } })
  await platform.request('POST', '/experiments', { yaml })
})
beforeEach(() => put({}))
afterAll(() => platform.close())

const yaml = `id: modeled
name: Modeled
agents: [{id: a, command: [x]}]
models:
  - claude-sonnet-4-5
  - {id: claude-opus-4-5, apiKey: "assay://secrets/mine", also: [claude-haiku-4-5]}
  - {id: gpt-5-2025-08-07, apiKey: "assay://secrets/mine"}
  - {id: mistral-large, provider: mistral, apiKey: "assay://secrets/mine"}
`

const providers = noRunRules.providers

async function put(rules: Partial<RunRules>) {
  const { updatedAt } = (await platform.request('GET', '/admin/v1/run-policy')).json
  const body = { ...noRunRules, ...rules, expectedUpdatedAt: updatedAt }
  return platform.request('PUT', '/admin/v1/run-policy', { body })
}

const submit = (model: string, more = {}) =>
  platform.request('POST', '/experiments/modeled/runs', { body: { models: [model], ...more } })
/** The runs, and the credit with what is reserved of it. */
const seen = async () => [
  (await platform.request('GET', '/runs')).json.runs.length,
  (await platform.request('GET', '/credits/balance')).json.buckets,
]

test.each([
  ['claude-sonnet-4-5', { models: 'allowed', allowedModels: ['gpt-5'] }, 'the model claude-sonnet-4-5 is not allowed'],
  ['claude-opus-4-5', { models: 'allowed', allowedModels: ['claude-opus-4-5'] }, 'the model claude-haiku-4-5'],
  ['claude-sonnet-4-5', { providers: { ...providers, anthropic: 'none' } }, 'Anthropic models are not allowed'],
  ['claude-opus-4-5', { providers: { ...providers, anthropic: 'none' } }, 'Anthropic models are not allowed'],
  ['claude-sonnet-4-5', { providers: { ...providers, anthropic: 'own' } }, 'the platform’s key is not allowed'],
  [
    'claude-opus-4-5',
    { providers: { ...providers, anthropic: 'platform' } },
    'your own Anthropic API key is not allowed',
  ],
  ['mistral-large', { providers: { ...providers, other: 'none' } }, 'is not allowed; use Anthropic, OpenAI or Google'],
  ['mistral-large', { models: 'allowed', allowedModels: ['mistral-large'] }, 'the provider mistral is not allowed'],
] as const)(
  'a submission with %s under %j is refused, and nothing is queued or reserved',
  async (model, rules, message) => {
    await put(rules as unknown as Partial<RunRules>)
    const before = await seen()
    const { status, json } = await submit(model)
    expect([status, json.issues?.[0]?.path]).toEqual([412, `models.${model}`])
    expect(json.message).toContain(message)
    expect(await seen()).toEqual(before)
    const body = { models: [model] }
    const { json: estimate } = await platform.request('POST', '/experiments/modeled/runs/estimate', { body })
    expect(estimate.refusals).toEqual(json.issues)
    expect((await submit(model, { mock: true })).status).toBe(202)
  },
)

test('a client that goes around the gateway is one of the other providers', async () => {
  await put({ providers: { ...providers, other: 'none' } })
  const env = '{CLAUDE_CODE_USE_VERTEX: "1"}'
  const vertex = `id: vertex\nname: Vertex\nagents: [{id: a, command: [x], env: ${env}}]\nmodels: [claude-sonnet-4-5]\n`
  await platform.request('POST', '/experiments', { yaml: vertex })
  const { status, json } = await platform.request('POST', '/experiments/vertex/runs', { body: {} })
  expect([status, json.message]).toEqual([412, expect.stringContaining('remove CLAUDE_CODE_USE_VERTEX')])
})

const onlySonnet = { models: 'allowed', allowedModels: ['claude-sonnet-4-5'] } as const

test.each([
  ['CLAUDE_CODE_OAUTH_TOKEN', { providers: { ...providers, anthropic: 'platform' } }, 'your own Anthropic API key'],
  ['CLAUDE_CODE_OAUTH_TOKEN', { providers: { ...providers, anthropic: 'none' } }, 'Anthropic models are not'],
  ['CLAUDE_CODE_USE_BEDROCK', { providers: { ...providers, anthropic: 'platform' } }, 'your own Anthropic API key'],
  ['CLAUDE_CODE_USE_FOUNDRY', { providers: { ...providers, anthropic: 'none' } }, 'Anthropic models are not'],
  ['GOOGLE_GENAI_USE_VERTEXAI', { providers: { ...providers, google: 'none' } }, 'Google models are not'],
  ['CLAUDE_CODE_OAUTH_TOKEN', onlySonnet, 'because only some models are allowed'],
  ['CLAUDE_CODE_USE_FOUNDRY', onlySonnet, 'because only some models are allowed'],
  ['OPENCODE_API_KEY', onlySonnet, 'because only some models are allowed'],
] as const)('a run without a model and with %s is refused under %j', async (variable, rules, message) => {
  await put(rules as unknown as Partial<RunRules>)
  const id = variable.toLowerCase().replaceAll('_', '-')
  const around = `id: ${id}\nname: Around\nagents: [{id: a, command: [x], env: {${variable}: "1"}}]\n`
  await platform.request('POST', '/experiments', { yaml: around })
  const { status, json } = await platform.request('POST', `/experiments/${id}/runs`, { body: {} })
  expect([status, json.message]).toEqual([412, expect.stringContaining(message)])
})

test.each([
  ['claude-sonnet-4-5', { providers: { ...providers, anthropic: 'platform' } }],
  ['claude-opus-4-5', { providers: { ...providers, anthropic: 'own', other: 'none' } }],
  ['gpt-5-2025-08-07', { models: 'allowed', allowedModels: ['gpt-5'] }],
] as const)('a submission with %s under %j is queued', async (model, rules) => {
  await put(rules as unknown as Partial<RunRules>)
  expect((await submit(model)).status).toBe(202)
})

test('a run that waited while the rules changed is refused when it starts, and the gateway gets the rules', async () => {
  const { db, keys, blobs } = platform.services
  const vault = { db, keys, blobs, loadPinned: pinnedLoader(db), managedKeys }
  for (const model of ['claude-sonnet-4-5', 'claude-opus-4-5']) await submit(model)
  const own = (model: string) => ({ model, input: 1, output: 2, cacheRead: null, cacheWrite: null })
  const ownPrices = ['claude-opus-4-5', 'claude-sonnet-4-5'].map(own)
  await put({ providers: { ...providers, anthropic: 'own' }, ownPrices })
  const claimed = await claimRuns(db, { workerId: 'w', leaseSeconds: 60 }, 100)
  const planOf = async (model: string) => {
    const run = claimed.findLast((each) => each.model === model && !each.mock)
    if (!run) throw new Error('No such run was queued')
    return planRun(vault, run)
  }
  expect((await planOf('claude-sonnet-4-5')).refusal).toContain('the platform’s key is not allowed for Anthropic')
  const plan = await planOf('claude-opus-4-5')
  expect(plan.refusal).toBeNull()
  const price = { input: 1, output: 2, cacheRead: 1, cacheWrite: 1 }
  expect(plan.models?.access.ownPrices).toEqual({ 'claude-opus-4-5': price, 'claude-sonnet-4-5': price })
  expect(plan.ownPrices).toEqual(plan.models?.access.ownPrices)
  expect((await planOf('claude-sonnet-4-5')).ownPrices).toEqual({})
  await put({ models: 'allowed', allowedModels: ['claude-sonnet-4-5'] })
  expect((await planOf('claude-opus-4-5')).refusal).toContain('the model claude-opus-4-5 is not allowed')
  expect((await planOf('claude-sonnet-4-5')).models?.access.rules).toMatchObject({
    allowedModels: ['claude-sonnet-4-5'],
  })
})

test('a snapshot of an allowed model is allowed, and a model of a longer name is not', () => {
  const rules = { models: 'allowed' as const, allowedModels: ['gpt-5'] }
  for (const id of ['gpt-5', 'gpt-5-2025-08-07']) expect(modelFault(rules, id)).toBeNull()
  for (const id of ['gpt-5-mini', 'gpt-5.1', 'GPT-5', '']) expect(modelFault(rules, id)).not.toBeNull()
  expect(modelFault({ models: 'allowed', allowedModels: [] }, 'gpt-5')).not.toBeNull()
})

test('rules with a price twice, a price below zero or a blank model are refused, and change nothing', async () => {
  const price = { model: 'm', input: 1, output: 1, cacheRead: null, cacheWrite: null }
  for (const [rules, path] of [
    [{ ownPrices: [price, price] }, 'ownPrices'],
    [{ ownPrices: [{ ...price, input: -1 }] }, 'ownPrices.0.input'],
    [{ allowedModels: ['two words'] }, 'allowedModels.0'],
    [{ providers: { ...providers, google: 'some' } }, 'providers.google'],
  ] as const) {
    const { status, json } = await put(rules as unknown as Partial<RunRules>)
    expect([status, json.issues?.[0]?.path]).toEqual([400, path])
  }
  expect((await platform.request('GET', '/admin/v1/run-policy')).json).toMatchObject(noRunRules)
})

test('admins see the providers with the platform’s keys, and where each price comes from', async () => {
  const { json } = await platform.request('GET', '/admin/v1/model-providers')
  expect(json.providers).toContainEqual({ provider: 'anthropic', hasPlatformKey: true, spentUsd: 0 })
  expect(json.providers).toContainEqual({ provider: 'openai', hasPlatformKey: false, spentUsd: 0 })
  expect(JSON.stringify(json)).not.toContain('sk-operator')
  const listed = json.prices.find(({ model }: { model: string }) => model === 'gpt-5')
  expect(listed).toMatchObject({
    provider: 'openai',
    source: 'list',
    basis: expect.stringContaining('OpenAI'),
    input: 1.25,
  })
  const key = await platform.newKey({ role: 'member' })
  expect((await platform.request('GET', '/admin/v1/model-providers', { key })).status).toBe(403)
})
