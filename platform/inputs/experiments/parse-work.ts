import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import { parseDefinition } from './parse-definition.ts'
import type { ParsedDefinition } from './parse-definition-apart.ts'

/** Reads experiment YAML in a content process. */
export const open: OpenJob<null, string, ParsedDefinition> = () => (yaml) => {
  try {
    return { definition: parseDefinition(yaml), refusal: null }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { definition: null, refusal: { message: error.message, issues: error.issues } }
  }
}
