import type { Services } from '#platform/ground/context/context.ts'
import { setEnabled } from './store.ts'

/**
 * Sets whether members of an organization may suggest Context changes; off by default. Pending suggestions stay
 * pending.
 */
export const enableSuggestions = ({ db }: Pick<Services, 'db'>, organizationId: string, isEnabled: boolean) =>
  setEnabled(db, organizationId, isEnabled)
