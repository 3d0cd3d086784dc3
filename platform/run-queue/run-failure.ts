/** A run cannot go on, for a reason its owner should read; the run ends as `errored` with it. */
export class RunFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RunFailure'
  }
}

/** What the file system answers to a name or a folder that a definition or an agent chose. */
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

/** A RunFailure where the run's owner can do something about it; anything else stays as it is, for the log. */
export function asRunFailure(error: unknown, what: string): unknown {
  if (error instanceof RunFailure || !(error instanceof Error) || !('code' in error)) return error
  return ownersFault.has(String(error.code)) ? new RunFailure(`${what} (${String(error.code)})`) : error
}
