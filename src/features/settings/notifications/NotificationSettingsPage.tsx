import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import { whoamiOptions } from '#src/api/identity.ts'
import { notificationSettingsOptions } from '#src/api/notification-settings.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { PersonalKeyNeeded } from '#src/shared/notification-entries/PersonalKeyNeeded.tsx'
import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { choiceColumns } from './choice-columns.tsx'
import { DigestTime } from './DigestTime.tsx'
import classes from './notification-settings.module.css'
import { OwnAddress } from './OwnAddress.tsx'

/** How the caller is notified, in all their organizations. */
export function Component() {
  const { data: caller } = useSuspenseQuery(whoamiOptions())
  const { manageOrganization } = permissionsOf(caller)
  return (
    <>
      <title>Notification settings · Assay</title>
      <PageHeader
        title="Notifications"
        facts="Choose which notifications you get. Applies to all your organizations; changes are saved automatically."
        actions={
          <span className={classes.links}>
            {manageOrganization && <TextLink href={paths.settings('mail')}>Organization email</TextLink>}
            <TextLink href={paths.notifications()}>Your notifications</TextLink>
          </span>
        }
      />
      {caller.keyKind === 'personal' ? <Choices /> : <PersonalKeyNeeded />}
    </>
  )
}

function Choices() {
  const settings = useQuery(notificationSettingsOptions())
  const { data } = settings
  const canSend = data?.canSend ?? false
  const columns = useMemo(() => choiceColumns(canSend), [canSend])
  return (
    <>
      {data && (
        <Section title="Email">
          <OwnAddress settings={data} />
          {data.canSend && <DigestTime settings={data} />}
        </Section>
      )}
      <Section title="What you are notified of">
        <DataTable
          label="notification types"
          columns={columns}
          rows={data?.choices}
          rowId={({ type }) => type}
          error={settings.error}
          onRetry={() => void settings.refetch()}
          empty={{ title: 'No notification types' }}
        />
      </Section>
    </>
  )
}
