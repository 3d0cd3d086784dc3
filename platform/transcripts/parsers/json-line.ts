import { z } from 'zod'

import type { LineParser, ParsedLine, ParsedTurn } from './line-parser.ts'

/** Reads each line as JSON of one shape; blank lines say nothing, everything else that does not fit is malformed. */
export const jsonLines = <Shape extends z.ZodType>(
  shape: Shape,
  read: (event: z.output<Shape>) => ParsedLine,
  end: () => ParsedTurn[] = () => [],
): LineParser => ({
  line(line) {
    if (line.trim() === '') return { turns: [] }
    const event = shape.safeParse(parseJson(line))
    return event.success ? read(event.data) : { turns: [], malformed: true }
  },
  end,
})

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** What is longer is cut, so no parser needs to keep more of a turn. */
export const maxTurnCharacters = 4 * 1024 * 1024

const maxShownDepth = 100
/** Indenting what is longer would take many times its memory. */
const maxIndentedCharacters = 1024 * 1024

/** Any value as a reader wants to see it: text as it is, the rest as JSON. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value
  if (isDeeper(value, maxShownDepth)) return `[nested more than ${maxShownDepth} levels deep: not shown]`
  const compact = JSON.stringify(value) ?? ''
  return compact.length > maxIndentedCharacters ? compact : (JSON.stringify(value, null, 2) ?? '')
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)))

/**
 * How many items a list of an event may have: each that does not fit is complained about, and complaints about millions of
 * them would take all memory there is.
 */
export const maxItems = 10_000

/** A token count as clients report it: absent or odd means zero, beside counts that are there. */
export const tokenCount = z.int().min(0).catch(0).default(0)

/** What a client says about itself, not the model: a warning, a lost connection, why it gave up. */
export const clientSays = (text: string, ts: string | null = null): ParsedTurn => ({
  ts,
  role: 'system',
  kind: 'message',
  text,
})
