import { readFileSync } from 'node:fs'

import { z } from 'zod'

import { sentencesOf } from '#contract/plain-messages.ts'
import { messageOf } from '#contract/wire/message-of.ts'
import { builtInPrices, ModelPrice, type ModelPrices } from './model-prices.ts'

/** A null price removes a model from the built-in table. */
const PriceFile = z.record(z.string(), ModelPrice.nullable())

/**
 * The built-in price table, overridden by the operator's prices: `file` is MODEL_PRICES_FILE, JSON of model id → USD
 * per million tokens. Throws an error that names the file and its faults.
 */
export function loadModelPrices(file: string | undefined): ModelPrices {
  if (file === undefined) return builtInPrices
  const parsed = PriceFile.safeParse(readJson(file))
  if (!parsed.success) throw new Error(`The prices in ${file} are not valid:\n${sentencesOf(parsed.error, '\n')}`)
  const all = Object.entries({ ...builtInPrices, ...parsed.data })
  return Object.fromEntries(all.flatMap(([model, price]) => (price === null ? [] : [[model, price]])))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    const reason = messageOf(cause)
    throw new Error(`The prices in ${file} cannot be read: ${reason}`, { cause })
  }
}
