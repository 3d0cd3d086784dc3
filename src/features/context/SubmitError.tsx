import { Button } from '@mantine/core'

import { reveal } from '#src/ui/reveal.ts'
import { isApiError } from '#src/api/errors.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import classes from './SuggestionForm.module.css'

type Props = { error: Error; onSnapshot: () => void; onAsNew: (() => void) | undefined }

/** Why a suggestion was not submitted, and the next step if there is one. The draft is kept. */
export const SubmitError = ({ error, onSnapshot, onAsNew }: Props) => (
  <div ref={reveal}>
    <ErrorNotice title="The suggestion was not submitted" error={error}>
      {isApiError(error, 'already_exists') && (
        <div className={classes.ways}>
          <Button variant="default" onClick={onSnapshot}>
            Reload record
          </Button>
          {onAsNew && (
            <Button variant="default" onClick={onAsNew}>
              Submit as a new suggestion
            </Button>
          )}
        </div>
      )}
      {!isApiError(error, 'already_exists') && <p className={classes.hint}>Your draft is saved in this browser.</p>}
    </ErrorNotice>
  </div>
)
