import { z } from 'zod'

const perMillion = z.number().min(0)

/** USD per million tokens, standard tier. Unknown prices are left out, never guessed. */
export const ModelPrice = z.strictObject({
  input: perMillion,
  output: perMillion,
  cacheRead: perMillion.optional(),
  cacheWrite: perMillion.optional(),
  /** The price of cache writes that last an hour. */
  cacheWriteHour: perMillion.optional(),
  /** Prompts above this cost more. A run's totals lack the length of each prompt, so its cost is null above it. */
  upToInputTokens: z.int().min(1).optional(),
  /** What a call with a longer prompt costs, as multiples of the prices. */
  longPrompt: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).optional(),
})
type ModelPrice = z.infer<typeof ModelPrice>

/** By model id, without a snapshot date. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>

const opus: ModelPrice = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25, cacheWriteHour: 10 }
const earlyOpus: ModelPrice = { input: 15, output: 75, cacheRead: 1.5, cacheWrite: 18.75, cacheWriteHour: 30 }
const sonnet: ModelPrice = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6 }

/** "Pricing", Claude Developer Platform documentation, autumn 2026. The price of cache writes is for five minutes. */
const anthropic: ModelPrices = {
  'claude-fable-5': { input: 10, output: 50, cacheRead: 1, cacheWrite: 12.5, cacheWriteHour: 20 },
  'claude-fable-5-1': { input: 10, output: 50, cacheRead: 0.25, cacheWrite: 12.5, cacheWriteHour: 20 },
  'claude-opus-5': opus,
  'claude-opus-4-8': opus,
  'claude-opus-4-7': opus,
  'claude-opus-4-6': opus,
  'claude-opus-4-5': opus,
  'claude-opus-4-1': earlyOpus,
  'claude-opus-4': earlyOpus,
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5, cacheWriteHour: 4 },
  'claude-sonnet-4-6': sonnet,
  'claude-sonnet-4-5': sonnet,
  'claude-sonnet-4': sonnet,
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25, cacheWriteHour: 2 },
}

const longPrompt = { input: 2, output: 1.5 }
const longOfOpenai = { upToInputTokens: 272_000, longPrompt }

/**
 * Model pages of the OpenAI API documentation, autumn 2026: GPT-5-Codex, GPT-5 Mini, GPT-5.6 Terra. The others:
 * "Pricing", OpenAI API documentation, May 2026, and the models.dev catalogue of 2026-07-02, which agree.
 */
const openai: ModelPrices = {
  'gpt-5': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-codex': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5-mini': { input: 0.25, output: 2, cacheRead: 0.025 },
  'gpt-5.1': { input: 1.25, output: 10, cacheRead: 0.125 },
  'gpt-5.2': { input: 1.75, output: 14, cacheRead: 0.175 },
  'gpt-5.2-codex': { input: 1.75, output: 14, cacheRead: 0.175 },
  'gpt-5.3-codex': { input: 1.75, output: 14, cacheRead: 0.175 },
  'gpt-5.4': { input: 2.5, output: 15, cacheRead: 0.25, ...longOfOpenai },
  'gpt-5.4-mini': { input: 0.75, output: 4.5, cacheRead: 0.075 },
  'gpt-5.4-nano': { input: 0.2, output: 1.25, cacheRead: 0.02 },
  'gpt-5.5': { input: 5, output: 30, cacheRead: 0.5, ...longOfOpenai },
  'gpt-5.6-terra': { input: 2, output: 12, cacheRead: 0.2, cacheWrite: 2.5, ...longOfOpenai },
}

const longOfGoogle = { upToInputTokens: 200_000, longPrompt }

/** "Gemini Developer API pricing", paid tier, 2026-10-07; cache reads from the models.dev catalogue of 2026-07-02. */
const google: ModelPrices = {
  'gemini-3.5-flash': { input: 1.5, output: 9, cacheRead: 0.15 },
  'gemini-3.1-pro-preview': { input: 2, output: 12, cacheRead: 0.2, ...longOfGoogle },
  'gemini-2.5-pro': { input: 1.25, output: 10, cacheRead: 0.125, ...longOfGoogle },
  'gemini-2.5-flash': { input: 0.3, output: 2.5, cacheRead: 0.03 },
  'gemini-2.5-flash-lite': { input: 0.1, output: 0.4, cacheRead: 0.01 },
}

/** Collected on 2026-11-20 from the lists above. Models without a price that they agree on are left out. */
export const builtInPrices: ModelPrices = { ...anthropic, ...openai, ...google }

/** Where the built-in prices come from. */
export const priceSources = {
  anthropic: '“Pricing”, Claude Developer Platform documentation, autumn 2026',
  openai: 'Model pages and “Pricing”, OpenAI API documentation, 2026',
  google: '“Gemini Developer API pricing”, paid tier, 2026-10-07',
}
