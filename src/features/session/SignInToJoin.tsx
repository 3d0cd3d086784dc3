import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { SignIn } from '#contract/session.ts'
import { signIn, signInAtProvider } from '#src/api/session.ts'
import { useForm } from '#src/forms/use-form.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'

/** For a person who already has an account: they sign in, and then join. */
export function SignInToJoin({ token, provider }: { token: string; provider: string | undefined }) {
  const form = useForm({
    initialValues: { apiKey: '' },
    schema: SignIn,
    toBody: (values) => values,
    send: ({ apiKey }) => signIn(apiKey),
    onSent: () => window.location.reload(),
  })
  const leaving = useMutation({ mutationFn: () => signInAtProvider(paths.join(token)) })
  const error = form.failure ?? leaving.error
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <PasswordInput
        label="API key"
        description="You already have an account here. Sign in with your key, then join. If no key of yours works, ask the operator for a new one."
        autoComplete="off"
        required
        withAsterisk={false}
        {...form.getInputProps('apiKey')}
      />
      <Button type="submit" size="sm" loading={form.isPending || form.isSent}>
        Sign in
      </Button>
      {provider && (
        <Button
          size="sm"
          variant="default"
          loading={leaving.isPending || leaving.isSuccess}
          onClick={() => leaving.mutate()}
        >
          Sign in with {provider}
        </Button>
      )}
      {error && <ErrorNotice title="Sign-in failed" error={error} />}
    </form>
  )
}
