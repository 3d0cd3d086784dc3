import type { SignInProblem } from '#contract/session.ts'

/** Why a sign-in through the identity provider failed. The sign-in page shows the message for it. */
export class SignInRefusal extends Error {
  readonly problem: SignInProblem

  constructor(problem: SignInProblem, options?: ErrorOptions) {
    super(`Sign-in through the identity provider: ${problem}`, options)
    this.name = 'SignInRefusal'
    this.problem = problem
  }
}
