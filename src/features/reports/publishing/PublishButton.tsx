import { Button } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import type { Report } from '#contract/reports.ts'
import { reportPublicationOptions } from '#src/api/report-publications.ts'

type Props = { report: Report; onClick: () => void }

/** Opens the dialog of the public page, and says whether there is one. */
export function PublishButton({ report, onClick }: Props) {
  const { data } = useQuery(reportPublicationOptions(report.id))
  if (!data || (!data.publication && !data.canPublish)) return null
  return (
    <Button size="compact-sm" variant="default" leftSection={<IconWorld size={14} aria-hidden />} onClick={onClick}>
      {!data.publication
        ? 'Publish'
        : data.publication.version === report.updatedAt
          ? 'Published'
          : 'Published (older version)'}
    </Button>
  )
}
