import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { limitParam, limits } from '#contract/wire/limit.ts'
import { listParam } from '#contract/wire/list-param.ts'
import { Timestamp } from '#contract/wire/query-values.ts'

/** The name of a secret in URLs and references. Case-sensitive. */
export const SecretSlug = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'can contain letters, digits, dots, hyphens and underscores, and must start with a letter or digit',
  )

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength

/** The limit is in UTF-8 bytes. Whitespace is kept. */
const SecretValue = z
  .string()
  .min(1, 'must not be empty')
  .refine((value) => bytesOf(value) <= limits.secretBytes, `must be ${limits.secretBytes / 1024} KiB or less`)

const SecretDescription = z.string().trim().max(1000)

/** A shorter value is passed to runs but not masked in their output, because it would match everywhere. */
export const isMasked = (value: string) => bytesOf(value.trim()) >= 4

/**
 * Every field except the value. `usedBy` lists experiments whose latest version refers to the secret. `lastUsedAt` is
 * accurate to the minute.
 */
export const Secret = z.object({
  slug: z.string(),
  description: z.string().optional(),
  createdBy: Actor,
  createdAt: Timestamp,
  updatedBy: Actor,
  updatedAt: Timestamp,
  lastUsedAt: Timestamp.optional(),
  usedBy: z.array(z.object({ experimentId: z.string(), name: z.string() })),
})
export type Secret = z.infer<typeof Secret>

export const SecretList = z.object({ secrets: z.array(Secret), nextPageToken: z.string().optional() })
export type SecretList = z.infer<typeof SecretList>

export const listSecrets = endpoint({
  name: 'secrets.list',
  method: 'GET',
  path: '/secrets',
  summary: 'List the metadata of secrets by slug, never their values',
  query: z.object({
    query: z.string().optional(),
    slug: listParam(),
    pageSize: limitParam(limits.secrets),
    pageToken: z.string().optional(),
  }),
  response: SecretList,
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
})

/** Omitting the description clears it. `created` is false when the secret existed before. */
export const putSecret = endpoint({
  name: 'secrets.put',
  method: 'PUT',
  path: '/secrets/:slug',
  summary: 'Create or replace a secret; its value is never returned',
  body: z.object({ value: SecretValue, description: SecretDescription.optional() }),
  bodyBytes: limits.textBodyBytes,
  response: Secret.extend({ created: z.boolean() }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'failed_precondition'],
})

export const deleteSecret = endpoint({
  name: 'secrets.delete',
  method: 'DELETE',
  path: '/secrets/:slug',
  summary: 'Delete a secret; a missing secret is not an error',
  response: z.undefined(),
  status: 204,
  errors: ['unauthenticated', 'permission_denied'],
})
