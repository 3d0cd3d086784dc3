import { useLocalStorage } from '@mantine/hooks'

import { currentOrganizationId } from '#src/api/organization.ts'

/** Unsaved text and the version it began from, so that a reload, or a sign-in between, loses nothing. */
type Draft = { base: string; text: string }

/** `about` names what is written: an experiment's id, or `new`. */
export function useDraft(about: string, base: string, stored: string) {
  const [draft, setDraft, clear] = useLocalStorage<Draft | null>({
    key: `assay.draft.${currentOrganizationId() ?? ''}.${about}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const isChanged = draft !== null && draft.text !== stored
  return {
    text: draft?.text ?? stored,
    isChanged,
    /** The version the unsaved text began from, when it is another than the one shown. */
    otherBase: isChanged && draft.base !== base ? draft.base : null,
    write: (text: string) => setDraft({ base: draft?.base ?? base, text }),
    clear,
  }
}
