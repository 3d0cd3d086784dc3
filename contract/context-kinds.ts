import { z } from 'zod'

import { isWebAddress } from '#contract/wire/web-address.ts'

/** The kinds of shared Context records. */
export const contextKinds = ['product', 'use_case', 'persona', 'agent'] as const
export const ContextKind = z.enum(contextKinds)
export type ContextKind = z.infer<typeof ContextKind>

const isWebAddressOrEmpty = (text: string) => text === '' || isWebAddress(text)

const name = z.string().trim().min(1, 'must not be blank').max(200)
const line = z.string().trim().max(500)
const prose = z.string().trim().max(10_000)
const webAddress = z.string().trim().max(2048).refine(isWebAddressOrEmpty, 'must be an http or https URL, or empty')

/** The editable fields of each kind, all text; '' is empty. `proposed` accepts no other fields. */
export const contextFields = {
  product: z.strictObject({ name, summary: line, description: prose, documentationUrl: webAddress }),
  use_case: z.strictObject({ name, summary: line, description: prose, successCriteria: prose }),
  persona: z.strictObject({ name, summary: line, goals: prose, constraints: prose }),
  agent: z.strictObject({ name, summary: line, capabilities: prose, limitations: prose, documentationUrl: webAddress }),
} as const satisfies Record<ContextKind, z.ZodObject>

/** Field → text, in the field order of the kind. */
export type ContextFields = Record<string, string>

export const fieldNames = (kind: ContextKind): string[] => Object.keys(contextFields[kind].shape)

/** Returns the same fields in the order of their kind, because storage does not keep the order. */
export const inOrderOf = (kind: ContextKind, fields: ContextFields): ContextFields =>
  Object.fromEntries(
    fieldNames(kind).flatMap((name) => {
      const text = fields[name]
      return text === undefined ? [] : [[name, text] as const]
    }),
  )

/** Same format as agent and product ids in definitions, so that a record can describe one of them. */
export const ContextId = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'can contain letters, digits, dots, hyphens and underscores')
