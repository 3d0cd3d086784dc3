/** Real clients with real models. It is no example of the repository, because it cannot run without keys. */
export const codingAgents = `# Claude Code and Codex, each with a model of its own provider, on one small task.
#
# Before it can run, it needs:
# - A key for each model: create the secrets anthropic and openai on the page Secrets. If the platform has keys of its
#   own for these providers, delete both apiKey lines instead.
# - Both clients, installed on the worker (see docs/agent-presets.md).
# Mock runs need neither.

id: compare-coding-agents
name: Compare two coding agents
description: Which of Claude Code and Codex fixes a bug without breaking what works?

agents:
  - id: claude-code
    preset: claude-code
  - id: codex
    preset: codex

models:
  - id: claude-sonnet-4-5
    apiKey: assay://secrets/anthropic
    also: [claude-haiku-4-5] # Claude Code uses a small model for background work.
  - id: gpt-5
    apiKey: assay://secrets/openai

# Each agent runs only with the model of its own provider. Without this, there are four variants.
variants:
  include:
    - { agent: claude-code, model: claude-sonnet-4-5 }
    - { agent: codex, model: gpt-5 }

prompts:
  - id: fix-median
    text: |
      median.mjs returns a wrong median for some lists. Fix it. Keep its name and its export,
      and do not change the list that it is given.

files:
  - dest: median.mjs
    content: |
      export function median(numbers) {
        const sorted = numbers.sort()
        return sorted[Math.floor(sorted.length / 2)]
      }

tests:
  - name: sorts by value
    command: [node, --input-type=module, -e, "import { median } from './median.mjs'; process.exit(median([10, 9, 1]) === 9 ? 0 : 1)"]
  - name: averages the middle pair
    command: [node, --input-type=module, -e, "import { median } from './median.mjs'; process.exit(median([4, 1, 3, 2]) === 2.5 ? 0 : 1)"]
  - name: leaves the list unchanged
    command: [node, --input-type=module, -e, "import { median } from './median.mjs'; const list = [3, 1, 2]; median(list); process.exit(list.join() === '3,1,2' ? 0 : 1)"]

# The most that one run may take and cost.
limits:
  maxTimeSeconds: 600
  maxCostUsd: 1
`
