import type { Services } from '#platform/context/context.ts'
import { setEnabled } from './store.ts'

/** Whether people of an organization may suggest changes of its Context; off unless told. What is pending stays so. */
export const enableSuggestions = ({ db }: Pick<Services, 'db'>, organizationId: string, isEnabled: boolean) =>
  setEnabled(db, organizationId, isEnabled)
