import { Button, Skeleton } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { RefObject } from 'react'

import type { ReportPublication } from '#contract/report-publications.ts'
import type { Report } from '#contract/reports.ts'
import { fetchRows } from '#src/api/infinite-list.ts'
import { whoamiOptions } from '#src/api/identity.ts'
import { memberListOptions } from '#src/api/members.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { reportPublicationOptions } from '#src/api/report-publications.ts'
import { whenLoaded } from '#src/shared/figures/when-loaded.ts'
import classes from '#src/shared/publishing/publishing.module.css'
import { Dialog } from '#src/ui/Dialog.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { captureReport } from './capture-report.ts'
import { listContents } from './list-contents.ts'
import { PublicLink } from './PublicLink.tsx'
import { PublishForm } from './PublishForm.tsx'

const memberStaleMs = 30_000

/** Compared here, because the report is polled and its publication is not, so `isCurrent` may be older. */
const isOfNow = ({ version }: ReportPublication, { updatedAt }: Report) => version === updatedAt

/** Opens the dialog of the public page, and says whether there is one. */
export function PublishButton({ report, onClick }: { report: Report; onClick: () => void }) {
  const { data } = useQuery(reportPublicationOptions(report.id))
  if (!data || (!data.publication && !data.canPublish)) return null
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconWorld size={14} aria-hidden />} onClick={onClick}>
      {!data.publication ? 'Publish' : isOfNow(data.publication, report) ? 'Published' : 'Published (older version)'}
    </Button>
  )
}

type Props = {
  report: Report
  markdown: string
  rendered: RefObject<HTMLElement | null>
  opened: boolean
  onClose: () => void
}

/** Publishes the report as a page, updates the page and revokes it. */
export function PublishDialog({ opened, onClose, ...props }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Public page" size="xl">
      <Content {...props} />
    </Dialog>
  )
}

function Content({ report, markdown, rendered }: Omit<Props, 'opened' | 'onClose'>) {
  const { data, error, refetch } = useQuery(reportPublicationOptions(report.id))
  const drawing = useDrawnPage({ report, markdown, rendered })
  if (error)
    return <ErrorNotice title="The public page could not be loaded" error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  const { publication, canPublish } = data
  return (
    <div className={classes.content}>
      {publication && (
        <PublicLink
          reportId={report.id}
          publication={publication}
          isCurrent={isOfNow(publication, report)}
          canRevoke={canPublish}
        />
      )}
      {!canPublish && (
        <p className={classes.words}>Only {report.createdBy.name} or an admin can publish this report.</p>
      )}
      {canPublish && drawing.error && (
        <ErrorNotice title="The page could not be drawn" error={drawing.error} onRetry={() => void drawing.refetch()} />
      )}
      {canPublish && !drawing.data && !drawing.error && <output className={classes.words}>Loading all figures…</output>}
      {canPublish && drawing.data && (
        <PublishForm key={report.updatedAt} report={report} drawn={drawing.data} publication={publication} />
      )}
    </div>
  )
}

/** The page as it would be published, drawn again when the report changes. */
function useDrawnPage({ report, markdown, rendered }: Pick<Props, 'report' | 'markdown' | 'rendered'>) {
  const { data: caller } = useQuery(whoamiOptions())
  const organization = caller?.organizations.find(({ id }) => id === currentOrganizationId())?.name
  return useQuery({
    queryKey: ['report-page', report.id, report.updatedAt],
    queryFn: async () => {
      const root = rendered.current?.querySelector<HTMLElement>('[data-report]')
      if (!root || organization === undefined) throw new Error('There is no text to publish yet')
      await whenLoaded(root)
      const members = await fetchRows(memberListOptions(), memberStaleMs)
      const document = await captureReport(root)
      const contents = listContents({ markdown, document, members, author: report.createdBy.name })
      const missing = root.querySelectorAll('figure [role="alert"], [role="note"]').length
      return { document, contents, missing, organization }
    },
    enabled: organization !== undefined,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    networkMode: 'always',
  })
}
