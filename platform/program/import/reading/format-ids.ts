/** The formats of results, by the ids that people can name. */
export const formatIds = [
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
