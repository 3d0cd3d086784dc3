import { readFile } from 'node:fs/promises'

import { changeLimits, type FileChange } from '#contract/changes.ts'
import type { FoundChange, FoundChanges, FoundSide } from '#platform/queue/changes/found-change.ts'
import { pathMatcher } from './path-matcher.ts'
import { hashWorkspaceFile, readWorkspaceFile } from './read-workspace-file.ts'
import type { KnownFile, Snapshot } from './take-snapshot.ts'
import { type FoundFile, walkWorkspace } from './walk-workspace.ts'

/** Compares the workspace after the agent with the snapshot before it. Returns the changed files and the artifacts. */
export async function compareWorkspace(
  workspace: string,
  before: Snapshot,
  artifacts: readonly string[],
): Promise<FoundChanges> {
  const after = await walkWorkspace(workspace, changeLimits.comparedFiles)
  const isArtifact = pathMatcher(artifacts)
  const changes: FoundChange[] = []
  const seen = new Set<string>()
  for (const file of after.files) {
    seen.add(file.path)
    const known = before.files.get(file.path)
    // Beyond its limit, the snapshot does not know which files are new.
    if (!known && before.isCutOff) continue
    const change = await changeOf(workspace, known, file)
    if (change === 'unchanged' && !isArtifact(file.path)) continue
    changes.push({
      path: file.path,
      change,
      isArtifact: isArtifact(file.path),
      before: known ? sideBefore(known) : null,
      after: sideAfter(workspace, file),
    })
  }
  // Beyond the limit, a file of the snapshot can exist although this walk did not find it.
  const deleted = after.isCutOff ? [] : [...before.files.values()].filter(({ path }) => !seen.has(path))
  for (const file of deleted)
    changes.push({ path: file.path, change: 'deleted', isArtifact: false, before: sideBefore(file), after: null })
  return { changes, leftOut: sentencesOf(before, after) }
}

async function changeOf(workspace: string, known: KnownFile | undefined, file: FoundFile): Promise<FileChange> {
  if (!known) return 'added'
  if (known.kind !== file.kind || known.isExecutable !== file.isExecutable) return 'changed'
  if (known.sizeBytes !== file.sizeBytes) return 'changed'
  // Only the kernel sets the time of the last status change, so an agent cannot hide a change behind an old date.
  const isUntouched = known.modifiedAt === file.modifiedAt && known.changedAt === file.changedAt
  if (known.inode === file.inode && isUntouched) return 'unchanged'
  return (await hasSameContent(workspace, known, file)) ? 'unchanged' : 'changed'
}

async function hasSameContent(workspace: string, known: KnownFile, file: FoundFile) {
  if (known.copy !== null) {
    const [before, after] = [await readFile(known.copy), await readWorkspaceFile(workspace, file)]
    return after !== null && before.equals(after)
  }
  return known.hash !== null && known.hash === (await hashWorkspaceFile(workspace, file))
}

const stateOf = ({ kind, sizeBytes, isExecutable }: FoundFile) => ({ kind, sizeBytes, isExecutable })

const sideBefore = (file: KnownFile): FoundSide => ({
  ...stateOf(file),
  read: async () => (file.copy === null ? null : readFile(file.copy)),
})

const sideAfter = (workspace: string, file: FoundFile): FoundSide => ({
  ...stateOf(file),
  read: () => readWorkspaceFile(workspace, file),
})

function sentencesOf(before: { isCutOff: boolean }, after: { isCutOff: boolean; skipped: number }) {
  const limit = changeLimits.comparedFiles.toLocaleString('en')
  return [
    ...(before.isCutOff || after.isCutOff
      ? [`The workspace has more than ${limit} files. Only ${limit} were compared.`]
      : []),
    ...(after.skipped > 0
      ? [
          `${after.skipped} entries of the workspace are not listed: they could not be read, have names that are not UTF-8, or are devices, sockets or pipes.`,
        ]
      : []),
  ]
}
