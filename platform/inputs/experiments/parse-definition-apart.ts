import { z } from 'zod'

import type { ErrorIssue } from '#contract/errors.ts'
import { type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { parseWritten, renameWritten, type WrittenDefinition } from './read-written.ts'
import type { Identity } from './rewrite-identity.ts'

/** With an identity, the YAML gets it first. */
export type WrittenYaml = { yaml: string; identity: Identity | null }

/** The process has checked the definition. `yaml` is null if it was not changed. */
const ReadDefinition = z.object({
  written: z.custom<WrittenDefinition & { yaml: string | null }>().nullable(),
  refusal: z.object({ message: z.string(), issues: z.custom<ErrorIssue[] | undefined>() }).nullable(),
})
export type ReadDefinition = z.infer<typeof ReadDefinition>

const parseJob: ContentJob<null, WrittenYaml, ReadDefinition> = {
  module: new URL('./parse-work.ts', import.meta.url),
  answer: ReadDefinition,
  processorSeconds: 20,
}

/** Reading less takes no longer than sending it to a process. */
const smallCharacters = 32 * 1024

async function readApart(organizationId: string, asked: WrittenYaml) {
  const { written, refusal } = await askContent(organizationId, parseJob, null, asked).catch((error: unknown) => {
    if (!(error instanceof ContentStopped)) throw error
    throw invalid(`The YAML cannot be read, because ${error.message}`)
  })
  if (!written) throw invalid(refusal?.message ?? 'The YAML has no definition', refusal?.issues)
  return written
}

/** As `parseWritten`; a content process reads long YAML. */
export async function parseDefinitionApart(organizationId: string, yaml: string): Promise<WrittenDefinition> {
  if (yaml.length <= smallCharacters) return parseWritten(yaml)
  const { definition, definitionHash } = await readApart(organizationId, { yaml, identity: null })
  return { definition, definitionHash }
}

/** As `renameWritten`; a content process reads and writes long YAML. */
export async function renameApart(organizationId: string, yaml: string, identity: Identity) {
  if (yaml.length <= smallCharacters) return renameWritten(yaml, identity)
  const written = await readApart(organizationId, { yaml, identity })
  return { ...written, yaml: written.yaml ?? yaml }
}
