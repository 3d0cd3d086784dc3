import { Anchor } from '@mantine/core'
import { Link } from 'react-router'

import { referenceTo } from '#contract/secret-references.ts'
import { counted } from '#src/format/numbers.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import classes from './SubmitForm.module.css'

type Props = {
  /** Missing secrets that the selected runs use. */
  missing: readonly string[]
  mayCreate: boolean
  onMock: () => void
}

/**
 * Blocks real runs until every secret exists. Secrets are created in another tab, and the dialog notices when the
 * reader returns.
 */
export function SecretsNotice({ missing, mayCreate, onMock }: Props) {
  if (missing.length === 0) return null
  return (
    <Notice
      title={`The selected runs need ${counted(missing.length, 'secret')} that ${missing.length === 1 ? 'doesn’t' : 'don’t'} exist.`}
    >
      {mayCreate ? 'Create ' : 'Ask an admin to create '}
      {missing.map((slug, index) => (
        <span key={slug}>
          {index > 0 && ', '}
          {mayCreate ? (
            <Anchor component={Link} to={paths.newSecret(slug)} target="_blank" fz={13} className={classes.reference}>
              {referenceTo(slug)}
            </Anchor>
          ) : (
            <code className={classes.reference}>{referenceTo(slug)}</code>
          )}
        </span>
      ))}
      . Mock runs don’t need secrets.{' '}
      <Anchor component="button" type="button" fz={13} onClick={onMock}>
        Use mock runs
      </Anchor>
    </Notice>
  )
}
