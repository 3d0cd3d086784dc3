import type { Run } from '#contract/runs.ts'

/** Whether the reason of a run's end quotes what its agent printed on stderr: `The agent exited with code 3`, then `oh dear`. */
export const saysStderr = ({ statusReason }: Pick<Run, 'statusReason'>) =>
  /^The agent exited with code \d+\s+\S/.test(statusReason ?? '')
