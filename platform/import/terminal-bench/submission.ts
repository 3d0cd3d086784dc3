import { basename, dirname } from 'node:path'

import type { RunMetadata } from './results-file.ts'

/** The values of the axes agent and model. */
export type Submission = { agent: string; model: string }

const submissionFolder = /^\d{8}_([^_]+)_(.+)$/

/**
 * The agent and model of a run directory: from the nearest folder named `YYYYMMDD_agent_model`, else from
 * run_metadata.json. The folder comes first, because one submission's metadata may name its model in several ways, or
 * not at all. Null when neither names the agent; a missing model is `unknown`.
 */
export function submissionOf(directory: string, metadata: RunMetadata | null): Submission | null {
  for (let folder = directory; folder !== dirname(folder); folder = dirname(folder)) {
    const [, agent, model] = submissionFolder.exec(basename(folder)) ?? []
    if (agent && model) return { agent: toAxisId(agent), model: toAxisId(model) }
  }
  if (!metadata?.agent_name) return null
  const model = metadata.model_name?.split('/').at(-1)
  return { agent: toAxisId(metadata.agent_name), model: toAxisId(model ?? 'unknown') }
}

/** An id for contract/definition.ts's AxisId: letters, digits, dots, hyphens and underscores. */
export const toAxisId = (name: string) =>
  name
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 80) || 'unnamed'
