import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { NotificationSettings } from '#contract/mail.ts'
import { confirmOwnAddress, restartMailToMe, sendConfirmationToMe } from '#src/api/notification-settings.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import formParts from '#src/ui/form-parts.module.css'
import classes from './notification-settings.module.css'

type Props = { settings: NotificationSettings }

/** Whether email reaches the caller, and the next step if it does not. */
export function OwnAddress({ settings }: Props) {
  const { canSend, emailAddress } = settings
  const token = useQueryState().one('confirm')
  return (
    <div className={classes.address}>
      {!canSend && (
        <Notice title="This installation sends no email.">
          Its operator can set up a mail server with SMTP_URL and SMTP_FROM.
        </Notice>
      )}
      {emailAddress.state === 'stopped' && <Stopped settings={settings} />}
      {emailAddress.state === 'confirmed' && <p>Emails go to {emailAddress.address}.</p>}
      {emailAddress.state === 'unconfirmed' &&
        (token ? <Confirm token={token} settings={settings} /> : canSend && <AskForLink settings={settings} />)}
    </div>
  )
}

function AskForLink({ settings: { emailAddress } }: Props) {
  const sending = useMutation({ mutationFn: sendConfirmationToMe })
  const { data } = sending
  return (
    <>
      <p>
        Confirm {emailAddress.address} to get notifications by email. Until then, Assay sends nothing else to this
        address.
      </p>
      {data?.isSent && (
        <Notice title="Confirmation link sent.">
          Open it in this browser, or sign in where you open it. The link expires in 24 hours.
        </Notice>
      )}
      {data?.isSent === false && (
        <ErrorNotice title="The link was not sent" error={{ message: `The mail server said: ${data.fault}` }} />
      )}
      {sending.error && <ErrorNotice title="The link was not sent" error={sending.error} />}
      <Button
        className={formParts.verbAtStart}
        variant={data?.isSent ? 'default' : 'filled'}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {data?.isSent ? 'Send another link' : 'Send confirmation link'}
      </Button>
    </>
  )
}

/** A button, because a page that is only opened must not confirm. */
function Confirm({ token, settings: { emailAddress } }: Props & { token: string }) {
  const url = useQueryState()
  const confirming = useMutation({
    mutationFn: () => confirmOwnAddress(token, Intl.DateTimeFormat().resolvedOptions().timeZone),
    onSuccess: () => url.set({ confirm: null }),
  })
  return (
    <>
      <p>Get notifications by email at {emailAddress.address}?</p>
      {confirming.error && (
        <ErrorNotice title="The address was not confirmed" error={confirming.error}>
          <Button variant="default" onClick={() => url.set({ confirm: null })}>
            Get a new link
          </Button>
        </ErrorNotice>
      )}
      <Button className={formParts.verbAtStart} loading={confirming.isPending} onClick={() => confirming.mutate()}>
        Confirm address
      </Button>
    </>
  )
}

function Stopped({ settings: { emailAddress } }: Props) {
  const restarting = useMutation({ mutationFn: restartMailToMe })
  return (
    <>
      <Notice title="Assay stopped sending email to you.">
        The mail server refused {emailAddress.address}: {emailAddress.fault}
      </Notice>
      {restarting.error && <ErrorNotice title="Email could not be resumed" error={restarting.error} />}
      <Button className={formParts.verbAtStart} loading={restarting.isPending} onClick={() => restarting.mutate()}>
        Resume email
      </Button>
    </>
  )
}
