import { z } from 'zod'

import { toCamelCaseFields } from './field-names.ts'

type Sorted<Field extends string> = Field | `-${Field}`

const toCamelCase = (name: string) => Object.keys(toCamelCaseFields({ [name]: null }) as object)[0] ?? name

const readSort = (value: unknown): unknown => {
  if (value === '') return undefined
  if (typeof value !== 'string') return value
  return value.startsWith('-') ? `-${toCamelCase(value.slice(1))}` : toCamelCase(value)
}

/** The field that a list is sorted by: `costUsd` (or `cost_usd`), or `-costUsd` for descending order. */
export const sortParam = <Field extends string>(fields: readonly Field[]) =>
  z.preprocess(
    readSort,
    z
      .enum(
        fields.flatMap((field): Sorted<Field>[] => [field, `-${field}`]),
        {
          error: `must be one of ${fields.join(', ')}, with - before it for descending order`,
        },
      )
      .optional(),
  )

/** Splits a value of `sortParam`. */
export const readSorted = <Field extends string>(sort: Sorted<Field>): { field: Field; isDescending: boolean } => ({
  field: sort.replace(/^-/, '') as Field,
  isDescending: sort.startsWith('-'),
})
