import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { ReportPublication } from '#contract/report-publications.ts'
import { revoke } from '#src/api/report-publications.ts'
import { exactTime } from '#src/format/dates.ts'
import shared from '#src/shared/publishing/publishing.module.css'
import { confirm } from '#src/ui/confirm.ts'
import { CopyField } from '#src/ui/CopyField.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './PublicLink.module.css'

type Props = { reportId: string; publication: ReportPublication; isCurrent: boolean; canRevoke: boolean }

/** The link of the public page, what it shows, and how to end it. */
export function PublicLink({ reportId, publication, isCurrent, canRevoke }: Props) {
  const { url, version, publishedAt, publishedBy } = publication
  const revoking = useMutation({ mutationFn: () => revoke(reportId) })
  const ask = () =>
    confirm({
      title: 'Revoke the public page?',
      lost: 'Its link stops working at once, for everyone. If you publish the report again, it gets another link.',
      verb: 'Revoke page',
      onConfirm: () => revoking.mutate(),
    })
  return (
    <>
      <p className={shared.words}>
        {publishedBy.name} published this page on {exactTime(publishedAt)}. It shows the report as saved on{' '}
        {exactTime(version)}. Anyone with this link can read it.
      </p>
      {!isCurrent && (
        <Notice title="The report has changed since it was published.">
          The public page still shows the published version.
        </Notice>
      )}
      <CopyField label="Link" value={url} what="link" />
      {revoking.error && <ErrorNotice title="The page was not revoked" error={revoking.error} />}
      <div className={classes.verbs}>
        <Button component="a" href={url} target="_blank" rel="noreferrer" variant="default">
          Open public page
        </Button>
        {canRevoke && (
          <Button variant="default" className={classes.revoke} loading={revoking.isPending} onClick={ask}>
            Revoke page…
          </Button>
        )}
      </div>
    </>
  )
}
