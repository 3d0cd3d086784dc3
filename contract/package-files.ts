import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { VersionFile } from './experiments.ts'
import { base64Length } from '#contract/wire/base64-length.ts'
import { limits } from '#contract/wire/limit.ts'

/** What a file of a package is known by: the SHA-256 of its tar, and the bytes of that tar. */
const StagedFile = VersionFile.pick({ tarSha256: true, sizeBytes: true })

const shared = {
  method: 'POST',
  errors: ['invalid_argument', 'unauthenticated', 'permission_denied'],
} as const

/** An addition to the API: a client stages only what is missing. */
export const findMissingFiles = endpoint({
  ...shared,
  name: 'packageFiles.findMissing',
  path: '/package-files/missing',
  summary: 'Find which files of a package are not staged yet',
  body: z.object({ tarSha256s: z.array(VersionFile.shape.tarSha256).max(10_000) }),
  bodyBytes: limits.textBodyBytes,
  bodyValues: 10_100,
  response: z.object({ missing: z.array(z.string()) }),
})

/** An addition to the API, which says only that blobs must be staged. `content` is the tar in base64. */
export const stageFile = endpoint({
  ...shared,
  name: 'packageFiles.stage',
  path: '/package-files',
  summary: 'Stage a file or folder of a package',
  body: z.object({
    content: z.base64('must be base64').min(1, 'must not be empty').max(base64Length(limits.packageFileBytes)),
  }),
  bodyBytes: base64Length(limits.packageFileBytes) + 1000,
  response: StagedFile,
  errors: [...shared.errors, 'resource_exhausted'],
})

export const packageFileEndpoints = [findMissingFiles, stageFile] as const
