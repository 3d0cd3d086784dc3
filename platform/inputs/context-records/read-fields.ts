import type { z } from 'zod'

import { contextFields, type ContextFields, type ContextKind, fieldNames } from '#contract/context-kinds.ts'
import { readSent } from '#contract/read-sent.ts'
import { invalidFields } from '#platform/ground/failures/failure.ts'

type FieldValues = { kind: ContextKind; values: Record<string, unknown> }

/**
 * All fields of a record; fields that are not given are empty. Errors: `invalid_argument` for each invalid or unknown
 * field, with paths below `parent`.
 */
export const readWholeFields = ({ kind, values }: FieldValues, parent: readonly string[] = []): ContextFields =>
  read(contextFields[kind], { kind, values: { ...emptyFields(kind), ...values } }, parent)

/**
 * Some fields of a record. Errors: `invalid_argument` for each invalid or read-only field, with paths below `parent`.
 */
export const readSomeFields = (some: FieldValues, parent: string): ContextFields =>
  read(contextFields[some.kind].partial(), some, [parent])

const emptyFields = (kind: ContextKind) => Object.fromEntries(fieldNames(kind).map((name) => [name, '']))

function read(
  schema: z.ZodType<ContextFields>,
  { kind, values }: FieldValues,
  parent: readonly string[] = [],
): ContextFields {
  const { data, faults } = readSent(schema, values)
  if (!faults) return data
  const names = fieldNames(kind)
  throw invalidFields(
    faults.map(({ path, message }) => ({
      path: [...parent, ...path],
      message: names.includes(String(path[0])) ? message : `must be one of ${names.join(', ')} for a ${kind}`,
    })),
  )
}
