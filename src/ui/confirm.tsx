import { modals } from '@mantine/modals'
import type { ReactNode } from 'react'

type Question = { title: string; lost: ReactNode; verb: string; onConfirm: () => void }

/** Asks before something is lost, and says what. */
export const confirm = ({ title, lost, verb, onConfirm }: Question) =>
  modals.openConfirmModal({
    title,
    children: lost,
    labels: { confirm: verb, cancel: 'Keep' },
    confirmProps: { color: 'red' },
    onConfirm,
  })
