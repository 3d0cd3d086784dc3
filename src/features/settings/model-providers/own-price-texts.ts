import type { OwnModelPrice } from '#contract/model-rules.ts'
import { numberOf } from '#src/features/settings/read-fields.ts'

export const priceParts = ['input', 'output', 'cacheRead', 'cacheWrite'] as const

type PricePart = (typeof priceParts)[number]

/** A price as it is typed. */
export type PriceTexts = Record<'model' | PricePart, string>

export const toPriceTexts = (price: OwnModelPrice | null): PriceTexts => ({
  model: price?.model ?? '',
  input: textOf(price?.input),
  output: textOf(price?.output),
  cacheRead: textOf(price?.cacheRead),
  cacheWrite: textOf(price?.cacheWrite),
})

const textOf = (amount: number | null | undefined) => String(amount ?? '')

/** The schema refuses an empty price of input or output. */
export const fromPriceTexts = ({ model, input, output, cacheRead, cacheWrite }: PriceTexts): OwnModelPrice => ({
  model: model.trim(),
  input: numberOf(input) as number,
  output: numberOf(output) as number,
  cacheRead: numberOf(cacheRead),
  cacheWrite: numberOf(cacheWrite),
})
