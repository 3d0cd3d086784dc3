import type { Submission } from '#src/api/runs.ts'
import { type Chosen, noSelectors, type Selectors, toSubmissionFields } from './selected-variants.ts'

/**
 * What a person selects in the form. `version` is '' for the latest, and `maxCostUsd` for no budget. `decideBy` is '' to run
 * to the end, `decideLeft` to ask which group is best, and `endUsd` to end with the last run.
 */
export type SubmissionValues = {
  version: string
  selectors: Chosen
  repeat: number
  flags: string[]
  mock: boolean
  maxCostUsd: number | ''
  decideBy: string
  decideLeft: string
  decideRight: string
  endUsd: number | ''
}

type NewSubmission = Omit<Submission, 'id'>
type SubmissionBody = Omit<NewSubmission, 'untilDecided'>

/** Of runs that start now, the form also asks when to stop. */
export const runsToEnd = { decideBy: '', decideLeft: '', decideRight: '', endUsd: '' } as const

/** What the form sends: only the fields in use. */
export const toSubmission = (values: SubmissionValues): SubmissionBody => {
  const { version, selectors, repeat, flags, mock, maxCostUsd } = values
  return {
    version: version || undefined,
    repeat,
    mock: mock || undefined,
    flags: flags.length > 0 ? flags : undefined,
    maxCostUsd: maxCostUsd === '' || mock ? undefined : maxCostUsd,
    ...toSubmissionFields(selectors),
  }
}

/** What the form of new runs sends. */
export const toNewSubmission = (values: SubmissionValues): NewSubmission => {
  const { decideBy: groupBy, decideLeft, decideRight, endUsd } = values
  return {
    ...toSubmission(values),
    ...(groupBy && {
      untilDecided: {
        groupBy,
        ...(decideLeft && { between: [decideLeft, decideRight] as [string, string] }),
        ...(endUsd !== '' && { endUsd }),
      },
    }),
  }
}

/** The values of a submission that was sent. */
export function readSubmission(submission: SubmissionBody): SubmissionValues {
  const { version = '', repeat = 1, flags = [], mock = false, maxCostUsd = '', ...rest } = submission
  const selectors: Selectors = { ...noSelectors }
  for (const name of Object.keys(selectors) as (keyof Selectors)[]) selectors[name] = [...(rest[name] ?? [])]
  return { version, repeat: Math.max(1, repeat), flags: [...flags], mock, maxCostUsd, selectors, ...runsToEnd }
}
