import { SignInProblem } from '#contract/session.ts'

type Words = { title: string; message: string }

const words: Record<SignInProblem, Words> = {
  expired: {
    title: 'That sign-in is no longer valid',
    message: 'It took longer than ten minutes, or was used before. Begin again.',
  },
  declined: { title: 'You were not signed in', message: 'The identity provider ended the sign-in.' },
  invalid: {
    title: 'The identity provider’s answer could not be trusted',
    message: 'Nothing was changed. Begin again; if it stays so, tell the people who operate this service.',
  },
  unverified: {
    title: 'Your email address is not verified',
    message: 'The identity provider does not vouch for it. Have it verified there, then sign in again.',
  },
  unlinked: {
    title: 'Nobody has given you access yet',
    message:
      'The identity provider knows you, but this service has no working API key linked to your email address. Ask the people who operate it to link one, or sign in with a key of your own.',
  },
  unavailable: {
    title: 'Signing in is not possible just now',
    message: 'A service that is needed for it does not answer. Try again in a moment.',
  },
}

/** Why the way back from the identity provider ended here, or null. */
export function signInProblem(problem: string | null): Words | null {
  const known = SignInProblem.safeParse(problem)
  return known.success ? words[known.data] : null
}
