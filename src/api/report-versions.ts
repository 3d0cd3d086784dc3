import type { CallInput } from '#contract/endpoint.ts'
import { getReportVersion, listReportVersions, restoreReportVersion } from '#contract/report-versions.ts'
import { getReport } from '#contract/reports.ts'
import { call } from './call.ts'
import { endpointKey, endpointOptions, queryClient } from './query-client.ts'

export const versionListOptions = (reportId: string) => ({
  ...endpointOptions(listReportVersions, { reportId }),
  staleTime: 0,
})

/** The newest version grows, so it is read again. */
export const versionOptions = (version: CallInput<typeof getReportVersion>) => ({
  ...endpointOptions(getReportVersion, version),
  staleTime: 0,
})

/** Throws `already_exists` and writes nothing if the report has changed since it was read. */
export async function restoreVersion(input: CallInput<typeof restoreReportVersion>) {
  const restored = await call(restoreReportVersion, input)
  queryClient.setQueryData(endpointKey(getReport, { reportId: input.reportId }), restored)
  await queryClient.invalidateQueries({ queryKey: ['reportVersions'] })
  await queryClient.invalidateQueries({ queryKey: ['reports', 'list'] })
}
