import { Button } from '@mantine/core'

import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import formParts from '#src/ui/form-parts.module.css'

type Props = {
  form: { failure: Error | null; isPending: boolean }
  /** What did not happen: “The key was not created”. */
  failed: string
  /** What the button does: “Create key”. */
  verb: string
  /** A form on a page has its button at the start; one in a dialog, at the end. */
  isOnPage?: boolean
}

/** The end of a form: why it was refused, and its button. */
export const FormFoot = ({ form, failed, verb, isOnPage = false }: Props) => (
  <>
    {form.failure && <ErrorNotice title={failed} error={form.failure} />}
    <Button type="submit" loading={form.isPending} className={isOnPage ? formParts.verbAtStart : formParts.verb}>
      {verb}
    </Button>
  </>
)
