import { announcePresence as endpoint } from '#contract/report-presence.ts'
import { serve } from '#platform/context/serve.ts'
import { requirePerson } from '#platform/identity/policy.ts'
import { announcePresence } from './announce-presence.ts'

export const reportPresenceRoutes = [serve(endpoint, announcePresence, requirePerson)]
