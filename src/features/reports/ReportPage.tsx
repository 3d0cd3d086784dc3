import { useSuspenseQuery } from '@tanstack/react-query'
import { type LoaderFunctionArgs, useParams } from 'react-router'

import { whoamiOptions } from '#src/api/identity.ts'
import { queryClient } from '#src/api/query-client.ts'
import { readReport, reportOptions } from '#src/api/reports.ts'
import { ReportDesk } from './ReportDesk.tsx'

export async function loader({ params: { id = '' } }: LoaderFunctionArgs) {
  await readReport(id)
  return queryClient.ensureQueryData(whoamiOptions())
}

export function ReportPage() {
  const { id = '' } = useParams()
  const { data: report } = useSuspenseQuery(reportOptions(id))
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  return <ReportDesk key={id} opened={report} actorId={caller.actor.id} />
}
