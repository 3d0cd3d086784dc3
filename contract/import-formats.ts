/** The formats of results that an import reads, by the ids that people can name. */
export const formatIds = [
  'assay',
  'harbor',
  'inspect',
  'promptfoo',
  'terminal-bench',
  'swe-bench',
  'swe-agent',
  'mini-swe-agent',
  'openhands',
  'aider',
  'lm-evaluation-harness',
  'humaneval',
  'junit',
  'claude-code',
  'codex',
  'table',
] as const
export type FormatId = (typeof formatIds)[number]

/** The name of the tool, for people. */
export const formatTitles: Readonly<Record<FormatId, string>> = {
  assay: 'Assay',
  harbor: 'Harbor',
  inspect: 'Inspect',
  promptfoo: 'promptfoo',
  'terminal-bench': 'Terminal-Bench',
  'swe-bench': 'SWE-bench',
  'swe-agent': 'SWE-agent',
  'mini-swe-agent': 'mini-swe-agent',
  openhands: 'OpenHands',
  aider: 'Aider',
  'lm-evaluation-harness': 'lm-evaluation-harness',
  humaneval: 'HumanEval',
  junit: 'JUnit',
  'claude-code': 'Claude Code session',
  codex: 'Codex session',
  table: 'Table',
}

/** What a column of a table can say of a run. Each further score is a field of its own, `score:name`. */
export const tableFields = [
  'agent',
  'model',
  'prompt',
  'promptText',
  'repeat',
  'outcome',
  'score',
  'cost',
  'seconds',
  'milliseconds',
  'inputTokens',
  'outputTokens',
  'output',
  'reason',
  'startedAt',
  'endedAt',
] as const
export type TableField = (typeof tableFields)[number]
