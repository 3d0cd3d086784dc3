import { toCleanText } from '#platform/program/import-formats/reading/clean-text.ts'
import { stableUuid } from '#platform/ground/ids/stable-id.ts'

/** The experiment that runs come into. */
export type Scope = { organizationId: string; experimentId: string }

/** The id of the run that a tool identifies by this key: the same in every import into the experiment. */
export const runIdOf = ({ organizationId, experimentId }: Scope, key: readonly string[]) =>
  stableUuid('run', organizationId, experimentId, ...key.map(toCleanText))
