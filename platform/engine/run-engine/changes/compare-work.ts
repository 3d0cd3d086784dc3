import { readFile } from 'node:fs/promises'
import { deserialize } from 'node:v8'

import type { OpenJob } from '#platform/ground/content/content-job.ts'
import { packChanges } from '#platform/queue/changes/pack-changes.ts'
import type { ChangesPart } from '#platform/queue/changes/pack-files.ts'
import { createMasker } from '#platform/inputs/secrets/masking/masker.ts'
import { compareWorkspace } from './compare-workspace.ts'
import type { ComparisonStart } from './record-changes-apart.ts'
import { indexOf, type Snapshot } from './take-snapshot.ts'

/** Compares the workspace after the agent with the snapshot before it, in a content process. Null at the end. */
export const open: OpenJob<ComparisonStart, null, ChangesPart | null> = (start) => {
  const parts = compare(start)
  return async () => (await parts.next()).value ?? null
}

async function* compare({ workspace, copies, artifacts, secrets }: ComparisonStart): AsyncGenerator<ChangesPart, null> {
  const before = deserialize(await readFile(indexOf(copies))) as Snapshot
  yield* packChanges(await compareWorkspace(workspace, before, artifacts), createMasker(secrets))
  return null
}
