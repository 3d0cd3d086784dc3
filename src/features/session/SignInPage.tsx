import { Button, PasswordInput } from '@mantine/core'
import { useMutation, useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, redirect, useNavigate, useSearchParams } from 'react-router'

import { type DemoPerson, demoIsOffMessage, demoNeedsLinkMessage, SignIn } from '#contract/session.ts'
import { queryClient } from '#src/api/query-client.ts'
import {
  isAccepted,
  sessionOptions,
  signIn,
  signInAsDemoPerson,
  signInAtProvider,
  signInAutomatically,
} from '#src/api/session.ts'
import { useForm } from '#src/forms/use-form.ts'
import { addressBase } from '#src/url/organization-address.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { returnPath } from '#contract/return-path.ts'
import { Notice } from '#src/ui/Notice.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import { SignedOutPage } from './SignedOutPage.tsx'
import { signInProblem } from './sign-in-problems.ts'
import classes from './SignInPage.module.css'

type Props = {
  people: readonly DemoPerson[]
  entering: DemoPerson['id'] | undefined
  onEnter: (id: DemoPerson['id']) => void
}

const DemoPeople = ({ people, entering, onEnter }: Props) => (
  <div className={classes.others}>
    <p className={mutedText.note}>Or try the demo as:</p>
    {people.map(({ id, name, email }) => (
      <Button key={id} variant="default" size="sm" loading={entering === id} onClick={() => onEnter(id)}>
        {name} <span className={classes.email}>{email}</span>
      </Button>
    ))}
  </div>
)

const command = 'npm run -s assay -- key create --org demo --email you@example.com --role admin --kind personal'

/** Says why the demo sign-in has ended, and how to sign in. */
const DemoIsOff = () => (
  <Notice title="Demo sign-in is off">
    <p className={mutedText.note}>{demoIsOffMessage} The operator of this installation can create one:</p>
    <code className={classes.command}>{command}</code>
  </Notice>
)

const DemoNeedsLink = () => (
  <Notice title="To try the demo, open its link">
    <p className={mutedText.note}>{demoNeedsLinkMessage}</p>
  </Notice>
)

/** A person who was sent back with a problem has to read it. */
export async function loader({ request }: LoaderFunctionArgs) {
  const { searchParams } = new URL(request.url)
  const mayEnter = searchParams.has('problem') ? hasSession() : signInAutomatically()
  if (await mayEnter) throw redirect(returnPath(searchParams.get('from')))
  return null
}

const hasSession = async () => (await queryClient.fetchQuery(sessionOptions)).signedIn && isAccepted()

export function Component() {
  const [searchParams] = useSearchParams()
  const navigate = useNavigate()
  const { data: session } = useSuspenseQuery(sessionOptions)
  const openReturnPage = async () => {
    await isAccepted()
    await navigate(returnPath(searchParams.get('from')), { replace: true })
  }
  const demo = useMutation({ mutationFn: signInAsDemoPerson, onSuccess: openReturnPage })
  const form = useForm({
    initialValues: { apiKey: '' },
    schema: SignIn,
    toBody: (values) => values,
    send({ apiKey }) {
      demo.reset()
      return signIn(apiKey)
    },
    onSent: openReturnPage,
  })
  const enterAs = (person: DemoPerson['id']) => {
    form.clearFailure()
    demo.mutate(person)
  }
  const error = form.failure ?? demo.error
  const problem = signInProblem(searchParams.get('problem'))
  return (
    <SignedOutPage title="Sign in">
      <form className={classes.form} onSubmit={form.submit} noValidate>
        <h1 className={classes.title}>Sign in to Assay</h1>
        {session.demoIsOff && <DemoIsOff />}
        {session.demoNeedsLink && <DemoNeedsLink />}
        {problem && <ErrorNotice title={problem.title} error={problem} />}
        <PasswordInput
          label="API key"
          description="Your key is stored on the server; the browser only gets a session cookie."
          autoComplete="off"
          required
          withAsterisk={false}
          {...form.getInputProps('apiKey')}
        />
        <Button type="submit" size="sm" loading={form.isPending}>
          Sign in
        </Button>
        {error && <ErrorNotice title="Sign-in failed" error={error} />}
        {session.identityProvider && (
          <ProviderButton
            name={session.identityProvider}
            returnTo={addressBase() + returnPath(searchParams.get('from'))}
          />
        )}
        {session.demoPeople.length > 0 && (
          <DemoPeople
            people={session.demoPeople}
            entering={demo.isPending ? demo.variables : undefined}
            onEnter={enterAs}
          />
        )}
      </form>
    </SignedOutPage>
  )
}

/** Opens the identity provider's page, which returns to `returnTo`. */
function ProviderButton({ name, returnTo }: { name: string; returnTo: string }) {
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
