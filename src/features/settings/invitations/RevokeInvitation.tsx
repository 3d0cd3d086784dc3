import { ActionIcon, Tooltip } from '@mantine/core'
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'

import type { Invitation } from '#contract/invitations.ts'
import { revokeInvitation } from '#src/api/invitations.ts'
import { confirm } from '#src/ui/confirm.ts'
import classes from './invitations.module.css'

export function RevokeInvitation({ invitation: { id, email } }: { invitation: Invitation }) {
  const revoking = useMutation({ mutationFn: () => revokeInvitation(id) })
  const ask = () =>
    confirm({
      title: `Revoke the invitation for ${email}?`,
      lost: 'Its link stops working at once. You can invite them again.',
      verb: 'Revoke invitation',
      onConfirm: () => revoking.mutate(),
    })
  const label = revoking.error ? `Not revoked: ${revoking.error.message}` : 'Revoke'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color={revoking.error ? 'red' : 'gray'}
        aria-label={`Revoke the invitation for ${email}`}
        loading={revoking.isPending}
        onClick={ask}
      >
        {revoking.error ? <IconAlertTriangle size={15} aria-hidden /> : <IconTrash size={15} aria-hidden />}
        {revoking.error && (
          <span role="alert" className={classes.said}>
            {label}
          </span>
        )}
      </ActionIcon>
    </Tooltip>
  )
}
