import type { Definition } from '#contract/definition.ts'

/** The command of imported agents, which ran elsewhere. A submission of such an experiment fails at once with this reason. */
export const importedAgentCommand = [
  'sh',
  '-c',
  'echo "This agent was imported with its results; it cannot run here" >&2; exit 1',
]

/** True for a definition that an import wrote, which a later import may extend. */
export const isImported = (definition: Definition) =>
  definition.agents.length > 0 &&
  definition.agents.every((agent) => JSON.stringify(agent.command) === JSON.stringify(importedAgentCommand))
