import { Anchor } from '@mantine/core'

import { counted } from '#src/format/numbers.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SubmitForm.module.css'

/** What the chosen runs cannot be given yet: without it a real run would end before its agent starts, so none is sent. */
export function SecretsNotice({ references, onMock }: { references: readonly string[]; onMock: () => void }) {
  if (references.length === 0) return null
  return (
    <Notice title={`The chosen runs need ${counted(references.length, 'secret')}.`}>
      Secrets cannot be used in runs yet, so runs that need{' '}
      {references.map((reference, index) => (
        <span key={reference}>
          {index > 0 && ', '}
          <code className={classes.reference}>{reference}</code>
        </span>
      ))}{' '}
      cannot be sent as real ones. Mock runs need none.{' '}
      <Anchor component="button" type="button" fz={13} onClick={onMock}>
        Make them mock runs
      </Anchor>
    </Notice>
  )
}
