import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { limitParam, limits } from './wire/limit.ts'
import { listParam } from './wire/list-param.ts'
import { Timestamp } from './wire/query-values.ts'

/** What names a secret in URLs and in references, upper and lower case apart. */
export const SecretSlug = z
  .string()
  .min(1, 'must not be empty')
  .max(100)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]*$/,
    'may hold letters, digits, dots, hyphens and underscores, a letter or digit first',
  )

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength

/** In UTF-8 bytes. Its own white space is kept. */
export const SecretValue = z
  .string()
  .min(1, 'must not be empty')
  .refine((value) => bytesOf(value) <= limits.secretBytes, `must be ${limits.secretBytes / 1024} KiB or less`)

const SecretDescription = z.string().trim().max(1000)

/** A shorter value is handed to runs, but not masked in what they print: it would be found everywhere. */
export const isMasked = (value: string) => bytesOf(value.trim()) >= 4

/** Everything but the value. `usedBy`: experiments whose latest version refers to it; `lastUsedAt`: to the minute. */
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
  summary: 'Metadata of secrets by slug, never their values',
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
  response: Secret.extend({ created: z.boolean() }),
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied', 'failed_precondition'],
})

export const deleteSecret = endpoint({
  name: 'secrets.delete',
  method: 'DELETE',
  path: '/secrets/:slug',
  summary: 'Delete a secret; a missing one is no error',
  response: z.undefined(),
  status: 204,
  errors: ['unauthenticated', 'permission_denied'],
})
