import { z } from 'zod'

import { listEvents } from '#platform/audit/list-events.ts'
import { requireOrganization } from '#platform/identity/require-organization.ts'
import { command } from './command.ts'

/**
 * Prints one JSON object per line. Names and hosts come from other people and can contain any character, so they stay
 * escaped.
 */
export const listAuditCommand = command({
  name: 'audit list',
  input: z.object({
    org: z.string().optional(),
    before: z.string().optional(),
    limit: z.coerce.number().int().min(1).max(10_000).default(100),
  }),
  run: async (services, { org, ...page }) => {
    const organizationId = org === undefined ? undefined : (await requireOrganization(services.db, org)).id
    const events = await listEvents(services, { organizationId, ...page })
    return events.map((event) => JSON.stringify(event))
  },
})
