import { Agent } from 'undici'
import { afterAll, afterEach } from 'vitest'

import { type BodyMemory, workerMemory } from '#platform/engine/model-gateway/body-memory.ts'
import { createBudget } from '#platform/engine/model-gateway/budget.ts'
import type { BodyPace } from '#platform/engine/model-gateway/read-call.ts'
import type { CallRecord } from '#platform/engine/model-gateway/call-record.ts'
import type { ModelAccess, Upstream } from '#platform/engine/model-gateway/model-access.ts'
import { openRunGateway, type RunGateway } from '#platform/engine/model-gateway/open-run-gateway.ts'
import { noModelRules } from '#contract/model-rules.ts'
import { builtInPrices } from '#platform/ground/models/model-prices.ts'
import { startScriptedProvider } from './scripted-provider.ts'

export const key = 'sk-operator-0123456789abcdef'
export const token = 'assay-run-token'
export const model = 'claude-sonnet-4-5'

type Opened = Partial<ModelAccess> & {
  upstream?: Partial<Upstream>
  maxUsd?: number
  memory?: BodyMemory
  bodyPace?: BodyPace
}

/** Starts a provider for the tests of one file, which open gateways to it. Each gateway closes after its test. */
export async function openTestGateways() {
  const provider = await startScriptedProvider()
  let opened: RunGateway[] = []
  afterEach(async () => {
    await Promise.all(opened.map((gateway) => gateway.close(0)))
    opened = []
  })
  afterAll(() => provider.close())
  return {
    provider,
    async open({ upstream, maxUsd, memory = workerMemory().ofRun('lab'), bodyPace, ...access }: Opened = {}) {
      const one: Upstream = { key, isBearer: false, isManaged: true, baseUrl: null, ...upstream }
      const upstreams = { anthropic: one, openai: one, google: one }
      const calls: CallRecord[] = []
      const hits = { count: 0 }
      const gateway = openRunGateway({
        access: { models: [model], rules: noModelRules, ownPrices: {}, upstreams, allowsInternet: false, ...access },
        token,
        memory,
        bodyPace,
        mask: (text) => text.replaceAll(key, '[masked]'),
        prices: builtInPrices,
        budgets: maxUsd === undefined ? [] : [createBudget(maxUsd)],
        addresses: { anthropic: provider.url, openai: `${provider.url}/v1`, google: provider.url },
        dispatcherFor: async () => new Agent(),
        writeCalls: async (records) => void calls.push(...records),
        onBudgetHit: () => (hits.count += 1),
      })
      opened.push(gateway)
      return { gateway, calls, hits, url: `http://127.0.0.1:${await gateway.listen()}` }
    },
  }
}

export const question = (more: object = {}) => ({
  model,
  max_tokens: 100,
  messages: [{ role: 'user', content: 'Hi' }],
  ...more,
})

/** Asks the Messages API of a gateway. */
export const ask = (
  url: string,
  body: unknown = question(),
  headers: Record<string, string> = { 'x-api-key': token },
) =>
  fetch(`${url}/anthropic/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

export const usage = {
  input_tokens: 800,
  cache_read_input_tokens: 200,
  cache_creation_input_tokens: 0,
  output_tokens: 50,
}
export const message = { type: 'message', model, content: [{ type: 'text', text: 'Hello' }], usage }
/** The cost of `message` in US dollars. */
export const price = (800 * 3 + 200 * 0.3 + 50 * 15) / 1e6

/** Closes the gateway and returns its calls. */
export async function finished({ gateway, calls }: { gateway: RunGateway; calls: CallRecord[] }) {
  await gateway.close(5000)
  return calls
}
