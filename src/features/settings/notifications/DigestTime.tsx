import { NativeSelect } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'

import type { NotificationSettings } from '#contract/mail.ts'
import { changeSettings, settingsScope } from '#src/api/notification-settings.ts'
import { timeIn } from '#src/format/dates.ts'
import classes from './notification-settings.module.css'

const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}))

const timeZones = Intl.supportedValuesOf('timeZone')

type Change = { digestHour?: number; timeZone?: string }

/** When the daily digest comes. */
export function DigestTime({ settings }: { settings: NotificationSettings }) {
  const saving = useMutation({ mutationFn: (change: Change) => changeSettings(change), scope: settingsScope })
  const { digestHour, timeZone } = saving.isPending ? { ...settings, ...saving.variables } : settings
  const zones = timeZones.includes(timeZone) ? timeZones : [timeZone, ...timeZones]
  return (
    <div className={classes.digest}>
      <NativeSelect
        size="xs"
        label="Daily digest at"
        data={hours}
        value={String(digestHour)}
        onChange={(event) => saving.mutate({ digestHour: Number(event.currentTarget.value) })}
      />
      <NativeSelect
        size="xs"
        label="Time zone"
        data={zones}
        value={timeZone}
        onChange={(event) => saving.mutate({ timeZone: event.currentTarget.value })}
      />
      <p className={classes.note} role={saving.error ? 'alert' : undefined}>
        {saving.error ? `Not saved: ${saving.error.message}` : describe(settings)}
      </p>
    </div>
  )
}

const describe = ({ nextDigestAt, timeZone }: NotificationSettings) =>
  `The digest lists notifications you have not read in the app. If there are none, no digest is sent.${nextDigestAt ? ` Next digest: ${timeIn(nextDigestAt, timeZone)}.` : ''}`
