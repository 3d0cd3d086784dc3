import { Button, Group, Text } from '@mantine/core'
import { Dialog } from './Dialog.tsx'

import type { Question } from './confirm.ts'

/** The safe button comes first, so that pressing Enter without reading does no harm. */
export function ConfirmDialog({ question, onClose }: { question: Question; onClose: () => void }) {
  const act = () => {
    onClose()
    question.onConfirm()
  }
  return (
    <Dialog opened onClose={onClose} title={question.title} role="alertdialog" size="sm">
      <Text component="div" size="sm">
        {question.lost}
      </Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" data-autofocus onClick={onClose}>
          Go back
        </Button>
        <Button color="red" onClick={act}>
          {question.verb}
        </Button>
      </Group>
    </Dialog>
  )
}
