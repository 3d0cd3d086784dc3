import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { findMissingFiles as endpoint } from '#contract/package-files.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { findStagedSizes } from './store.ts'

/** POST /package-files/missing: the hashes that nobody of the organization has staged, each once. */
export async function findMissingFiles(
  { db, organization }: Context,
  { tarSha256s }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const wanted = [...new Set(tarSha256s)]
  const staged = await findStagedSizes(
    db,
    organization.id,
    wanted.map((tarSha256) => ({ tarSha256 })),
  )
  return { missing: wanted.filter((tarSha256) => !staged.has(tarSha256)) }
}
