import type { Submission } from '#src/api/runs.ts'
import { type Selectors, toSubmissionFields } from './selected-variants.ts'

type Chosen = { version: string; selectors: Selectors; repeat: number; flags: string[]; mock: boolean }

/** What the form sends: only the fields in use. */
export const toSubmission = (id: string, { version, selectors, repeat, flags, mock }: Chosen): Submission => ({
  id,
  version: version || undefined,
  repeat,
  mock: mock || undefined,
  flags: flags.length > 0 ? flags : undefined,
  ...toSubmissionFields(selectors),
})
