import { Button } from '@mantine/core'

import { counted } from '#src/format/numbers.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import type { FailedUpload } from './use-image-upload.ts'

type Props = { waiting: number; failed: readonly FailedUpload[]; onRetry: () => void; onDismiss: () => void }

/** The uploads that have not ended, and those that failed. */
export function UploadStatus({ waiting, failed, onRetry, onDismiss }: Props) {
  const [first] = failed
  return (
    <>
      <output>{waiting > 0 && `Uploading ${counted(waiting, 'image')}…`}</output>
      {first && (
        <ErrorNotice
          title={failed.length === 1 ? `${first.file.name} was not added` : `${failed.length} images were not added`}
          error={first.error}
          onRetry={onRetry}
        >
          <Button size="compact-xs" variant="default" onClick={onDismiss}>
            Dismiss
          </Button>
        </ErrorNotice>
      )}
    </>
  )
}
