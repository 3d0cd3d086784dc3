import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { createMasker, type SecretValue } from './masker.ts'
import type { MaskRequest } from './mask-apart.ts'

/** Masks the output of one command, in a content process. */
export const open: OpenJob<readonly SecretValue[], MaskRequest, Uint8Array> = (secrets) => {
  const masker = createMasker(secrets)
  const streams = { stdout: masker.stream(), stderr: masker.stream() }
  return ({ from, chunk }) => (chunk === null ? streams[from].end() : streams[from].push(chunk))
}
