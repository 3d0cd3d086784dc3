import { Bytes, type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { type ContentSession, openContent } from '#platform/ground/content/content-pool.ts'
import type { SecretValue } from './masker.ts'

/** The next bytes of one stream of a command; null at its end. */
export type MaskRequest = { from: 'stdout' | 'stderr'; chunk: Uint8Array | null }

const maskOutput: ContentJob<readonly SecretValue[], MaskRequest, Uint8Array> = {
  module: new URL('./mask-work.ts', import.meta.url),
  answer: Bytes,
  /** A gigabyte takes about a minute. */
  processorSeconds: 600,
}

/**
 * Masks the output of a command in a content process, which starts with the first bytes. If that is stopped, the rest of
 * the output is replaced by one line with the reason: nothing is shown that was not masked.
 */
export function maskApart(secrets: readonly SecretValue[]) {
  let session: ContentSession<MaskRequest, Uint8Array> | undefined
  let isStopped = false
  return {
    async push(request: MaskRequest): Promise<Uint8Array> {
      if (isStopped || (!session && request.chunk === null)) return new Uint8Array()
      session ??= openContent(maskOutput, secrets)
      return session.ask(request).catch((error: unknown) => {
        if (!(error instanceof ContentStopped)) throw error
        if (isStopped) return new Uint8Array()
        isStopped = true
        return Buffer.from(`\n[The rest of the output is not shown, because ${error.message}.]\n`)
      })
    },
    close: () => session?.close(),
  }
}
