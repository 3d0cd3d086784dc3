import { z } from 'zod'

import type { Definition } from '#contract/definition.ts'
import type { ErrorIssue } from '#contract/errors.ts'
import { type ContentJob, ContentStopped } from '#platform/ground/content/content-job.ts'
import { askContent } from '#platform/ground/content/content-pool.ts'
import { invalid } from '#platform/ground/failures/failure.ts'
import { parseDefinition } from './parse-definition.ts'

/** The process has checked the definition. */
const ParsedDefinition = z.object({
  definition: z.custom<Definition>().nullable(),
  refusal: z.object({ message: z.string(), issues: z.custom<ErrorIssue[] | undefined>() }).nullable(),
})
export type ParsedDefinition = z.infer<typeof ParsedDefinition>

const parseJob: ContentJob<null, string, ParsedDefinition> = {
  module: new URL('./parse-work.ts', import.meta.url),
  answer: ParsedDefinition,
  processorSeconds: 20,
}

/** Reading less takes no longer than sending it to a process. */
const smallCharacters = 32 * 1024

/** As `parseDefinition`; a content process reads long YAML. */
export async function parseDefinitionApart(yaml: string): Promise<Definition> {
  if (yaml.length <= smallCharacters) return parseDefinition(yaml)
  const { definition, refusal } = await askContent(parseJob, null, yaml).catch((error: unknown) => {
    if (!(error instanceof ContentStopped)) throw error
    throw invalid(`The YAML cannot be read, because ${error.message}`)
  })
  if (!definition) throw invalid(refusal?.message ?? 'The YAML has no definition', refusal?.issues)
  return definition
}
