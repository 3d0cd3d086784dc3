import { useLocalStorage } from '@mantine/hooks'

import { currentOrganizationId } from '#src/api/organization.ts'

const keyOf = (about: string) => `assay.draft.${currentOrganizationId() ?? ''}.${about}`

/** Whether text begun from this version waits in this browser. */
export const hasDraft = (about: string) => localStorage.getItem(keyOf(about)) !== null

/** Unsaved text, kept in this browser, so that a reload, or a sign-in between, loses nothing. */
export function useDraft(about: string, stored: string) {
  const [draft, write, clear] = useLocalStorage<string | null>({
    key: keyOf(about),
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  return { text: draft ?? stored, isChanged: draft !== null && draft !== stored, write, clear }
}
