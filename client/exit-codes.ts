/** The exit codes of every command; docs/cli.md documents them. */
export const exitCodes = {
  done: 0,
  /** The answer is no: invalid, different, worse, or runs that did not complete. */
  no: 1,
  /** The data do not allow an answer. */
  undecided: 2,
  /** The command could not do its work: refused, unreachable, or used in a wrong way. */
  broken: 3,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command with a message for its user. */
export class CommandError extends Error {
  override name = 'CommandError'
}
