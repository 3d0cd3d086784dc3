import type { z } from 'zod'

import type { ParsedLine } from './line-parser.ts'

/** Reads a line as JSON of one shape; blank lines say nothing, everything else that does not fit is malformed. */
export const jsonLine =
  <Shape extends z.ZodType>(shape: Shape, read: (event: z.output<Shape>) => ParsedLine) =>
  (line: string): ParsedLine => {
    if (line.trim() === '') return { turns: [] }
    const event = shape.safeParse(parseJson(line))
    return event.success ? read(event.data) : { turns: [], malformed: true }
  }

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

/** Any value as a reader wants to see it: text as it is, the rest as JSON. */
export const toText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))
