import { announcePresence as endpoint } from '#contract/report-presence.ts'
import { serve } from '#platform/ground/routes/serve.ts'
import { requirePerson } from '#platform/ground/context/require-role.ts'
import { announcePresence } from './announce-presence.ts'

export const reportPresenceRoutes = [serve(endpoint, announcePresence, requirePerson)]
