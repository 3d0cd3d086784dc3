import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { PublishedDocument } from '#contract/published-document.ts'
import type { ReportPublication } from '#contract/report-publications.ts'
import type { Report } from '#contract/reports.ts'
import { publish } from '#src/api/report-publications.ts'
import { counted } from '#src/format/numbers.ts'
import classes from '#src/shared/publishing/publishing.module.css'
import { Warnings } from '#src/shared/publishing/Warnings.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import formParts from '#src/ui/form-parts.module.css'
import { PublicPreview } from './PublicPreview.tsx'
import { type Contents, describeContents } from './list-contents.ts'

type Drawn = { document: PublishedDocument; contents: Contents; missing: number; organization: string }
type Props = { report: Report; drawn: Drawn; publication: ReportPublication | undefined }

/** Says what the page will show, previews it, and publishes it. */
export function PublishForm({ report, drawn, publication }: Props) {
  const { document, contents, missing, organization } = drawn
  const publishing = useMutation({ mutationFn: publish })
  const { shown, warnings } = describeContents(contents)
  return (
    <>
      <p className={classes.words}>
        Anyone with the link can read the page without signing in.{' '}
        <strong>It shows the text and the figures as they are now.</strong> Later changes become public when you publish
        again. Comments and readers are never shown. The page names {organization} and {report.createdBy.name}.
      </p>
      {shown.length > 0 && <p className={classes.words}>It shows {shown.join(', ')}.</p>}
      {missing > 0 && (
        <Notice title={`${counted(missing, 'figure or image', 'figures or images')} could not be loaded.`}>
          The page would show the message in its place.
        </Notice>
      )}
      <Warnings title="Check this before you publish." warnings={warnings} />
      <PublicPreview report={report} document={document} organization={organization} />
      {publishing.error && <ErrorNotice title="The report was not published" error={publishing.error} />}
      <Button
        className={formParts.verb}
        loading={publishing.isPending}
        onClick={() => publishing.mutate({ reportId: report.id, expectedUpdatedAt: report.updatedAt, document })}
      >
        {publication ? 'Publish again' : 'Publish to anyone with the link'}
      </Button>
    </>
  )
}
