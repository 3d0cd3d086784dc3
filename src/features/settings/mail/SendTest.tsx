import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { sendTestToMe } from '#src/api/mail.ts'
import classes from './mail.module.css'

/** Sends a test to the caller, and shows what the mail server said. */
export function SendTest() {
  const { mutate, isPending, data, error } = useMutation({ mutationFn: sendTestToMe })
  const failure = error?.message ?? (data?.isSent === false ? `The mail server said: ${data.fault}` : null)
  return (
    <div className={classes.tested}>
      <Button loading={isPending} onClick={() => mutate()}>
        Send test email
      </Button>
      {failure && (
        <p role="alert" className={classes.said}>
          {failure}
        </p>
      )}
      {data?.isSent && <output className={classes.said}>Test email sent: the mail server accepted it.</output>}
    </div>
  )
}
