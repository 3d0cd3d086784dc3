import { randomUUID } from 'node:crypto'

import { z } from 'zod'

import type { Services } from '#platform/context.ts'
import { conflict, invalid } from '#platform/failure.ts'
import { findOrganization, insertOrganization } from './store.ts'

const Slug = z
  .string()
  .max(60)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)

/** Registers an organization. The slug is kebab-case and taken once: a second use is `already_exists`. */
export async function createOrganization(
  { db }: Pick<Services, 'db'>,
  input: { slug: string; name?: string | undefined },
) {
  if (!Slug.safeParse(input.slug).success)
    throw invalid(`"${input.slug}" is no organization slug: use lower-case letters, digits and hyphens`)
  if (await findOrganization(db, input.slug)) throw conflict(`Organization "${input.slug}" exists already`)
  const organization = { id: randomUUID(), slug: input.slug, name: input.name ?? input.slug }
  await insertOrganization(db, organization)
  return organization
}
