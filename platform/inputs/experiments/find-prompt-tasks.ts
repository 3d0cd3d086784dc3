import type { PromptTasks } from '#contract/prompt-tasks.ts'
import type { Database } from '#platform/ground/database/open-database.ts'
import type { ExperimentKey } from './experiment-key.ts'
import { findNamedTasks } from './prompt-tasks-store.ts'

/**
 * The prompts that name their task in one version. Over all versions (null), the one that was pushed last and has the
 * prompt decides.
 */
export async function findPromptTasks(db: Database, key: ExperimentKey, version: string | null): Promise<PromptTasks> {
  const named = await findNamedTasks(db, key, version)
  return named.flatMap(({ prompt, task }) => (task === null ? [] : [{ prompt, task }]))
}
