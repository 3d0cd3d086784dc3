import type { ResponseOf, VerbInput } from '#contract/endpoint.ts'
import type { stageFile as endpoint } from '#contract/package-files.ts'
import { limits } from '#contract/wire/limit.ts'
import type { Context } from '#platform/ground/context/context.ts'
import { exhausted, invalid } from '#platform/ground/failures/failure.ts'
import { stageBlob } from './stage-blob.ts'
import { sumStagedBytes } from './store.ts'

/**
 * POST /package-files: stages a tar. It is not read before a run unpacks it, as untrusted. Errors: `invalid_argument` for
 * a tar that is too large, `resource_exhausted` if the organization has no room for it.
 */
export const stageFile = (
  context: Context,
  { content }: VerbInput<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> => stageTar(context, Buffer.from(content, 'base64'))

/** Stages a tar if it is small enough and the organization has room for it. */
export async function stageTar(context: Pick<Context, 'db' | 'blobs' | 'organization'>, tar: Uint8Array) {
  if (tar.byteLength > limits.packageFileBytes)
    throw invalid(`The tar is too large: the limit is ${limits.packageFileBytes.toLocaleString('en')} bytes`)
  const { db, organization } = context
  if ((await sumStagedBytes(db, organization.id)) + tar.byteLength > limits.packageBytesOfOrganization)
    throw exhausted('This organization has no space left for files of packages. Ask the operator of the server')
  return stageBlob(context, organization.id, tar)
}
