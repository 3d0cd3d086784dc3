import { NativeSelect, Switch } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import { type EmailTiming, nameOfNotificationType, type NotificationChoice } from '#contract/notification-choices.ts'
import { changeSettings, settingsScope } from '#src/api/notification-settings.ts'
import type { Column } from '#src/ui/table/column.ts'
import classes from './notification-settings.module.css'

const timings: { value: EmailTiming; label: string }[] = [
  { value: 'now', label: 'Immediately' },
  { value: 'digest', label: 'Daily digest' },
  { value: 'off', label: 'Off' },
]

export const choiceColumns = (canSend: boolean): Column<NotificationChoice>[] => [
  {
    id: 'type',
    header: 'Notification',
    cell: ({ type }) => <span className={classes.type}>{nameOfNotificationType(type)}</span>,
    value: ({ type }) => nameOfNotificationType(type),
  },
  {
    id: 'app',
    header: 'In the app',
    cell: (choice) => <InApp choice={choice} />,
    value: ({ inApp }) => (inApp ? 'on' : 'off'),
    width: '88px',
  },
  {
    id: 'email',
    header: 'By email',
    cell: (choice) => <ByMail choice={choice} canSend={canSend} />,
    value: ({ email }) => email,
    width: '128px',
  },
]

type Change = { inApp?: boolean; email?: EmailTiming }

/** A choice shows what was chosen while it is saved. */
function useChange({ type, ...saved }: NotificationChoice) {
  const saving = useMutation({
    mutationFn: (change: Change) => changeSettings({ choices: [{ type, ...change }] }),
    scope: settingsScope,
  })
  return {
    shown: saving.isPending ? { ...saved, ...saving.variables } : saved,
    failure: saving.error && `Not saved: ${saving.error.message}`,
    save: saving.mutate,
  }
}

function InApp({ choice }: { choice: NotificationChoice }) {
  const { shown, failure, save } = useChange(choice)
  return (
    <span className={classes.choice}>
      <Switch
        size="xs"
        aria-label={`${nameOfNotificationType(choice.type)} in the app`}
        checked={shown.inApp}
        error={failure}
        onChange={(event) => save({ inApp: event.currentTarget.checked })}
      />
    </span>
  )
}

function ByMail({ choice, canSend }: { choice: NotificationChoice; canSend: boolean }) {
  const { shown, failure, save } = useChange(choice)
  return (
    <span className={classes.choice}>
      <NativeSelect
        size="xs"
        aria-label={`${nameOfNotificationType(choice.type)} by email`}
        data={timings}
        value={shown.email}
        disabled={!canSend}
        title={canSend ? undefined : 'This installation sends no email'}
        error={failure}
        onChange={(event) => save({ email: event.currentTarget.value as EmailTiming })}
      />
    </span>
  )
}
