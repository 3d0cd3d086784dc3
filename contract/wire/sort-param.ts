import { z } from 'zod'

import { ScoreName } from '#contract/scores.ts'
import { toCamelCaseFields } from './field-names.ts'

type Sorted<Field extends string> = Field | `-${Field}`

const toCamelCase = (name: string) => Object.keys(toCamelCaseFields({ [name]: null }) as object)[0] ?? name

const readSort = (value: unknown): unknown => {
  if (value === '') return undefined
  if (typeof value !== 'string' || /^-?score:/.test(value)) return value
  return value.startsWith('-') ? `-${toCamelCase(value.slice(1))}` : toCamelCase(value)
}

/** The field that a list is sorted by: `costUsd` (or `cost_usd`), or `-costUsd` for descending order. */
export const sortParam = <Field extends string>(fields: readonly Field[]) =>
  z.preprocess(
    readSort,
    oneOf(fields, `must be one of ${fields.join(', ')}, with - before it for descending order`).optional(),
  )

const oneOf = <Field extends string>(fields: readonly Field[], error: string) =>
  z.enum(
    fields.flatMap((field): Sorted<Field>[] => [field, `-${field}`]),
    { error },
  )

const scoreSort = (error: string) => z.templateLiteral([z.enum(['', '-']), 'score:', ScoreName], { error })

/** Like sortParam, for a list that can also be sorted by a score: `-score:correctness`. */
export function scoreSortParam<Field extends string>(fields: readonly Field[]) {
  const error = `must be one of ${fields.join(', ')}, or score: and the name of a score, with - before it for descending order`
  return z.preprocess(readSort, z.union([oneOf(fields, error), scoreSort(error)], { error }).optional())
}

/** Splits a value of `sortParam`. */
export const readSorted = <Field extends string>(sort: Sorted<Field>): { field: Field; isDescending: boolean } => ({
  field: sort.replace(/^-/, '') as Field,
  isDescending: sort.startsWith('-'),
})
