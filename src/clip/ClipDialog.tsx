import { Button, Modal } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'

import { type Clip, formatClip } from '#contract/report-blocks/clips.ts'
import type { ReportWithBody } from '#contract/reports.ts'
import { clipIntoReport } from '#src/api/clips.ts'
import { fieldFault } from '#src/api/errors.ts'
import { createReportOnce } from '#src/api/reports.ts'
import { paths } from '#src/paths.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './ClipDialog.module.css'
import { NewReportField } from './NewReportField.tsx'
import { RecentReports } from './RecentReports.tsx'

type Target = { reportId: string } | { title: string }

/** Asks which report to add a clip to, then links to it. */
export function ClipDialog({ clip, onClose }: { clip: Clip; onClose: () => void }) {
  const [markdown] = useState(() => formatClip(clip))
  const clipping = useMutation({
    mutationFn: (target: Target): Promise<ReportWithBody> =>
      'reportId' in target
        ? clipIntoReport(target.reportId, markdown)
        : createReportOnce({ title: target.title, bodyMarkdown: markdown }),
  })
  const { data: done, error, isPending, variables } = clipping
  const isNew = variables !== undefined && 'title' in variables
  const titleFault = isNew ? fieldFault(error, 'title') : undefined
  return (
    <Modal opened onClose={onClose} title="Clip to report">
      {done ? (
        <div className={classes.receipt}>
          <output>
            Added to{' '}
            <Link to={paths.report(done.report.id)} onClick={onClose} className={classes.link}>
              {done.report.title}
            </Link>
          </output>
          <Button variant="default" onClick={onClose} data-autofocus>
            Close
          </Button>
        </div>
      ) : (
        <div className={classes.form} aria-busy={isPending}>
          <pre className={classes.quote} aria-label="Text to add">
            {clip.quote}
          </pre>
          {error && !titleFault && (
            <ErrorNotice title="The clip may not have been added; check the report" error={error} />
          )}
          <RecentReports
            isPending={isPending}
            chosen={variables && 'reportId' in variables ? variables.reportId : null}
            onChoose={(reportId) => clipping.mutate({ reportId })}
          />
          <NewReportField
            fault={titleFault}
            isPending={isPending && isNew}
            onBegin={(title) => clipping.mutate({ title })}
          />
        </div>
      )}
    </Modal>
  )
}
