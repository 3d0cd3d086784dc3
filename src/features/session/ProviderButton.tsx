import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { signInAtProvider } from '#src/api/session.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './SignInPage.module.css'

/** Leads to the identity provider, and from there back to `returnTo`. */
export function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
  const leave = useMutation({ mutationFn: () => signInAtProvider(returnTo) })
  return (
    <div className={classes.others}>
      <Button size="sm" variant="default" loading={leave.isPending || leave.isSuccess} onClick={() => leave.mutate()}>
        Sign in with {name}
      </Button>
      {leave.error && <ErrorNotice title="Sign-in failed" error={leave.error} />}
    </div>
  )
}
