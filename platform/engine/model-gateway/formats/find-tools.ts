import { isRecord, recordsIn } from './json-shapes.ts'

export type Tool = Readonly<Record<string, unknown>>

type Places = {
  /** The names of fields that define tools. */
  fields: readonly string[]
  /** The names of fields with values of the client's own, such as the schema of a function. They define no tools. */
  opaque: RegExp
}

/** Finds the tools of a request wherever it defines them: for the whole call, in its messages and inside other tools. */
export function findTools(body: Readonly<Record<string, unknown>>, { fields, opaque }: Places): Tool[] {
  const tools: Tool[] = []
  const waiting: unknown[] = [body]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [name, inner] of Object.entries(value)) {
      if (isRecord(value) && opaque.test(name)) continue
      if (isRecord(value) && fields.includes(name)) tools.push(...(isRecord(inner) ? [inner] : recordsIn(inner)))
      waiting.push(inner)
    }
  }
  return tools
}
