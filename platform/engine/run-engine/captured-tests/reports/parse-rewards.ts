import { parseReportJson } from './report-json.ts'

/** A named number of a report. `value` is null if it is unknown, and `problem` says why. */
export type Reward = { name: string; value: number | null; problem: string | null }

const maxNumberCharacters = 100

/** Without a name of its own, as in a file with one number. */
const onlyName = 'reward'

/**
 * Reads a number, or a JSON object of names with numbers, as in `reward.txt` and `reward.json` of Harbor. Text with a
 * number is a number, and true and false are 1 and 0. Any other value is unknown, never zero. Throws an Error with a
 * reason if the text is neither.
 */
export function parseRewards(text: string): Reward[] {
  const content = text.trim()
  if (content === '') throw new Error('it is empty')
  const plain = toReward(onlyName, content)
  if (plain.value !== null || isNotFinite(content)) return [plain]
  const parsed = parseJson(content)
  if (typeof parsed !== 'object' || parsed === null) return [toReward(onlyName, parsed)]
  if (Array.isArray(parsed)) throw new Error(neither)
  const rewards = Object.entries(parsed).map(([name, value]) => toReward(name, value))
  if (rewards.length === 0) throw new Error('it contains no rewards')
  return rewards
}

const neither = 'it contains neither a number nor a JSON object of names with numbers'

function toReward(name: string, value: unknown): Reward {
  const found = toNumber(value)
  return found === null
    ? { name, value: null, problem: `Its value is ${describe(value)}, which is not a number` }
    : { name, value: found, problem: null }
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i

function toNumber(value: unknown): number | null {
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || value.length > maxNumberCharacters) return null
  const word = value.trim()
  if (/^(true|false)$/i.test(word)) return Number(word.toLowerCase() === 'true')
  return decimal.test(word) && Number.isFinite(Number(word)) ? Number(word) : null
}

const describe = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const said = String(value).trim()
  return said.length > maxNumberCharacters ? 'a long text' : `“${said}”`
}

const isNotFinite = (content: string) => /^[+-]?(nan|inf(inity)?)$/i.test(content)

function parseJson(content: string): unknown {
  try {
    return parseReportJson(content, (word) => JSON.stringify(word))
  } catch {
    throw new Error(neither)
  }
}
