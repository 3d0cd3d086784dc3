import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { Failure } from '#platform/ground/failures/failure.ts'
import type { ReadDefinition, WrittenYaml } from './parse-definition-apart.ts'
import { parseWritten, renameWritten } from './read-written.ts'

/** Reads experiment YAML in a content process. */
export const open: OpenJob<null, WrittenYaml, ReadDefinition> =
  () =>
  ({ yaml, identity }) => {
    try {
      const written = identity === null ? { yaml: null, ...parseWritten(yaml) } : renameWritten(yaml, identity)
      return { written, refusal: null }
    } catch (error) {
      if (!(error instanceof Failure)) throw error
      return { written: null, refusal: { message: error.message, issues: error.issues } }
    }
  }
