import type { FileChange, FileState } from '#contract/changes.ts'

/** A file before or after the agent. `read` returns its content, or null if it cannot be read. */
export type FoundSide = Omit<FileState, 'hasContent'> & { read: () => Promise<Uint8Array | null> }

/** A changed file or an artifact that the comparison of a workspace found. */
export type FoundChange = {
  path: string
  change: FileChange
  isArtifact: boolean
  before: FoundSide | null
  after: FoundSide | null
}

/** What the comparison found. `leftOut` has sentences about what it could not compare. */
export type FoundChanges = { changes: FoundChange[]; leftOut: string[] }
