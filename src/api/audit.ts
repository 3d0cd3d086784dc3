import { type AuditEntryList, listAuditEvents } from '#contract/audit.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from './call.ts'
import { infiniteListOptions } from './infinite-list.ts'
import { endpointKey } from './query-client.ts'

export type AuditFilters = Omit<CallInput<typeof listAuditEvents>, 'pageSize' | 'pageToken'>

const pageSize = 50
const eventsOf = ({ events }: AuditEntryList) => events

export const auditListOptions = (filters: AuditFilters) =>
  infiniteListOptions({
    queryKey: endpointKey(listAuditEvents, filters),
    queryFn: ({ pageParam, signal }) => call(listAuditEvents, { ...filters, pageSize, pageToken: pageParam }, signal),
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
    rowsOf: eventsOf,
  })
