import type { CallInput } from '#contract/endpoint.ts'
import { announcePresence } from '#contract/report-presence.ts'
import { call } from './call.ts'

type Place = Omit<CallInput<typeof announcePresence>, 'reportId'>

/** Says where the reader is, and reads where others are, every 5 seconds while the page is visible. */
export const presenceOptions = (reportId: string, where: () => Place) => ({
  queryKey: ['reportPresence', reportId],
  queryFn: async ({ signal }: { signal: AbortSignal }) =>
    (await call(announcePresence, { reportId, ...where() }, signal)).people,
  refetchInterval: 5000,
  staleTime: 0,
  gcTime: 0,
  retry: false,
})
