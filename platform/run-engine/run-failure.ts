/** A run cannot go on, for a reason its owner should read; the run ends as `errored` with it. */
export class RunFailure extends Error {
  constructor(reason: string) {
    super(reason)
    this.name = 'RunFailure'
  }
}
