import type { z } from 'zod'

import { contextFields, type ContextFields, type ContextKind, fieldNames } from '#contract/context-kinds.ts'
import { invalid } from '#platform/failure.ts'

type Given = { kind: ContextKind; given: Record<string, unknown> }

/** A whole record: fields that are not given are empty. `invalid_argument` names each field that is wrong or unknown. */
export const readWholeFields = ({ kind, given }: Given): ContextFields =>
  read(contextFields[kind], { kind, given: { ...emptyFields(kind), ...given } })

/** Some fields of a record. `invalid_argument` names each field that is wrong or not editable, below `parent`. */
export const readSomeFields = (some: Given, parent: string): ContextFields =>
  read(contextFields[some.kind].partial(), some, `${parent}.`)

const emptyFields = (kind: ContextKind) => Object.fromEntries(fieldNames(kind).map((name) => [name, '']))

function read(schema: z.ZodType<ContextFields>, { kind, given }: Given, parent = ''): ContextFields {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((name) => ({
          path: `${parent}${name}`,
          message: `is no editable field of a ${kind}: those are ${fieldNames(kind).join(', ')}`,
        }))
      : [{ path: parent + issue.path.join('.'), message: issue.message }],
  )
  throw invalid(issues.map(({ path, message }) => `${path}: ${message}`).join('; '), issues)
}
