import { SignInProblem } from '#contract/session.ts'

type Words = { title: string; message: string }

const words: Record<SignInProblem, Words> = {
  expired: {
    title: 'That sign-in is no longer valid',
    message: 'It took longer than ten minutes or was already used. Try again.',
  },
  declined: { title: 'You were not signed in', message: 'The identity provider ended the sign-in.' },
  invalid: {
    title: 'The identity provider’s response could not be verified',
    message: 'Nothing was changed. Try again. If it keeps happening, contact your administrator.',
  },
  unverified: {
    title: 'Your email address is not verified',
    message: 'Verify your email address with your identity provider, then sign in again.',
  },
  unlinked: {
    title: 'You don’t have access yet',
    message:
      'No working API key is linked to your email address. Ask your administrator to link one, or sign in with your own key.',
  },
  uninvited: {
    title: 'The invitation is for another email address',
    message: 'Nothing was changed. Sign in with the account that has the address of the invitation.',
  },
  ended: {
    title: 'You have not joined',
    message: 'The invitation could not be used. Open the link again to see why.',
  },
  unavailable: {
    title: 'Sign-in is temporarily unavailable',
    message: 'A required service isn’t responding. Try again in a moment.',
  },
}

/** Explains why signing in at the identity provider failed; null if there was no problem. */
export function signInProblem(problem: string | null): Words | null {
  const known = SignInProblem.safeParse(problem)
  return known.success ? words[known.data] : null
}
