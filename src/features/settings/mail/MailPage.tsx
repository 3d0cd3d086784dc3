import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'

import { type MailOverview, MailState } from '#contract/mail.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { mailLogOptions, mailOptions, sendTestToMe } from '#src/api/mail.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { FilterBar } from '#src/ui/FilterBar.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { SingleFilter } from '#src/ui/SingleFilter.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { mailColumns, stateLabels } from './mail-columns.tsx'
import classes from './mail.module.css'
import { StoppedAddresses } from './StoppedAddresses.tsx'

/** The email log, and members whose address was refused. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  return (
    <AdminsOnly title="Email" right="see the email log">
      <Mail isPerson={caller.keyKind === 'personal'} />
    </AdminsOnly>
  )
}

function Mail({ isPerson }: { isPerson: boolean }) {
  const { data, error, refetch } = useQuery(mailOptions())
  return (
    <>
      <title>Email · Assay</title>
      <PageHeader title="Email" facts={describe(data)} actions={data?.canSend && isPerson && <SendTest />} />
      {error && (
        <ErrorNotice title="The email status could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      <div className={classes.notices}>
        {data?.canSend === false && (
          <Notice title="This installation sends no email.">
            Its operator can set up a mail server with SMTP_URL and SMTP_FROM.
          </Notice>
        )}
        {data && data.failing > 0 && (
          <Notice title={`${counted(data.failing, 'email is', 'emails are')} waiting for another attempt.`}>
            Assay tries again within minutes. The log below shows the mail server’s answers.
          </Notice>
        )}
      </div>
      {data && data.stopped.length > 0 && <StoppedAddresses people={data.stopped} />}
      <Log />
    </>
  )
}

const describe = (overview: MailOverview | undefined) =>
  `Members choose which notifications they get by email.${overview?.from ? ` Emails are sent from ${overview.from}.` : ''}`

function Log() {
  const url = useQueryState()
  const { data: state } = MailState.safeParse(url.one('state'))
  const list = useInfiniteList(mailLogOptions({ state }))
  return (
    <DataTable
      label="emails"
      columns={mailColumns}
      rows={list.rows}
      rowId={({ id }) => id}
      error={list.error}
      onRetry={list.retry}
      more={list.more}
      filters={
        <FilterBar
          label="Filter emails"
          active={state !== undefined}
          onClear={() => url.set({ state: null })}
          lead={
            <SingleFilter
              label="State"
              options={MailState.options}
              labelOf={(value) => stateLabels[value as MailState]}
              value={state}
              onChange={(value) => url.set({ state: value ?? null })}
            />
          }
        />
      }
      empty={
        state
          ? { title: 'No emails match this filter' }
          : { title: 'No emails in the last 30 days', hint: 'Emails go to members who have confirmed their address.' }
      }
    />
  )
}

/** Sends a test to the caller, and shows what the mail server said. */
function SendTest() {
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
