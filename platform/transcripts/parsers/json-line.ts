import { z } from 'zod'

import type { LineParser, ParsedLine, ParsedTurn } from './parsed-line.ts'

/**
 * Parses each line as JSON of one shape. Blank lines are ignored; every other line that does not match is malformed.
 */
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

/** Longer turns are cut, so no parser needs to keep more of a turn. */
export const maxTurnCharacters = 4 * 1024 * 1024

const maxShownDepth = 100
/** Indenting a longer value would multiply its memory. */
const maxIndentedCharacters = 1024 * 1024

/** Converts any value to text for readers: text stays as it is, everything else becomes JSON. */
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
 * The maximum of items in a list of an event. Every invalid item gets a validation message, and messages for millions
 * of items would fill the memory.
 */
export const maxItems = 10_000

/** A token count as clients report it. A missing or invalid count is zero if other counts are there. */
export const tokenCount = z.int().min(0).catch(0).default(0)

/** A message of the client itself, not of the model: a warning, a lost connection, or why it gave up. */
export const clientMessage = (text: string, ts: string | null = null): ParsedTurn => ({
  ts,
  role: 'system',
  kind: 'message',
  text,
})
