import { ActionIcon, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconLogout, IconUserMinus } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import type { Member } from '#contract/members.ts'
import { endMembership } from '#src/api/members.ts'
import { paths } from '#src/paths.ts'
import { confirm } from '#src/ui/confirm.ts'
import classes from './members.module.css'

type Props = { member: Member; obstacle: string | null }

/** Removes a member; for the reader's own row, leaves. */
export function EndMembership({ member, obstacle }: Props) {
  const { name, isYou } = member
  const ending = useMutation({
    mutationFn: () => endMembership(member),
    // Loads a new page, because this one shows an organization that is gone.
    onSuccess: () => isYou && window.location.assign(paths.home()),
  })
  const ask = () =>
    confirm({
      title: isYou ? 'Leave this organization?' : `Remove ${name}?`,
      lost: <Consequences isYou={isYou} />,
      verb: isYou ? 'Leave' : 'Remove member',
      onConfirm: () => ending.mutate(),
    })
  const verb = isYou ? 'Leave' : 'Remove'
  const label = ending.error
    ? `${isYou ? 'Could not leave' : 'Not removed'}: ${ending.error.message}`
    : (obstacle ?? verb)
  const Icon = ending.error ? IconAlertTriangle : isYou ? IconLogout : IconUserMinus
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={ending.error ? 'red' : 'gray'}
        aria-label={isYou ? 'Leave this organization' : `Remove ${name}`}
        loading={ending.isPending}
        data-disabled={obstacle ? true : undefined}
        aria-disabled={obstacle ? true : undefined}
        onClick={() => obstacle ?? ask()}
      >
        <Icon size={15} aria-hidden />
        {ending.error && (
          <span role="alert" className={classes.said}>
            {label}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  )
}

function Consequences({ isYou }: { isYou: boolean }) {
  return (
    <>
      <p className={classes.consequence}>
        {isYou ? 'Your API keys lose' : 'Their API keys lose'} access to this organization at once. Runs, reports and
        insights stay.
      </p>
      <p className={classes.consequence}>
        Organization keys that {isYou ? 'you' : 'they'} created keep working. Review them under API keys.
      </p>
    </>
  )
}
