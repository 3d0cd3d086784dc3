/** The run cannot continue, for a reason its owner should read. The run ends as `errored` with this message. */
export class RunFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RunFailure'
  }
}

/** File system errors that a name or folder of the definition or the agent causes. */
const ownersFault = new Set([
  'EACCES',
  'EPERM',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'ENOTEMPTY',
])

/** Returns a RunFailure for an error that the run's owner can fix. Returns any other error unchanged, for the log. */
export function asRunFailure(error: unknown, what: string): unknown {
  if (error instanceof RunFailure || !(error instanceof Error) || !('code' in error)) return error
  return ownersFault.has(String(error.code)) ? new RunFailure(`${what} (${String(error.code)})`) : error
}
