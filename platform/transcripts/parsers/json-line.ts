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

/** Any value as a reader wants to see it: text as it is, the rest as JSON. */
export const toText = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? ''))

/** A token count as clients report it: absent or odd means zero, beside counts that are there. */
export const tokenCount = z.int().min(0).catch(0).default(0)

/** What a client says about itself, not the model: a warning, a lost connection, why it gave up. */
export const clientSays = (text: string, ts: string | null = null): ParsedTurn => ({
  ts,
  role: 'system',
  kind: 'message',
  text,
})
