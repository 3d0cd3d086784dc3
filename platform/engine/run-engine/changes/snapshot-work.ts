import { writeFile } from 'node:fs/promises'
import { serialize } from 'node:v8'

import type { OpenJob } from '#platform/ground/content/content-job.ts'
import type { SnapshotPlaces } from './record-changes-apart.ts'
import { indexOf, takeSnapshot } from './take-snapshot.ts'

/** Records the workspace before the agent, in a content process. */
export const open: OpenJob<SnapshotPlaces, null, null> =
  ({ workspace, copies }) =>
  async () => {
    const snapshot = await takeSnapshot(workspace, copies)
    await writeFile(indexOf(copies), serialize(snapshot), { mode: 0o600 })
    return null
  }
