import type { Invitation } from '#contract/invitations.ts'
import type { Column } from '#src/ui/table/column.ts'
import { timeColumn } from '#src/ui/table/time-column.tsx'
import cells from '#src/ui/table/cells.module.css'
import classes from './invitations.module.css'
import { RevokeInvitation } from './RevokeInvitation.tsx'

export const invitationColumns: Column<Invitation>[] = [
  {
    id: 'email',
    header: 'Invited',
    cell: ({ email, role, invitedBy = 'the operator' }) => (
      <span className={cells.lines}>
        <span className={cells.person}>{email}</span>
        <span className={classes.sender}>
          {role}, invited by {invitedBy}
        </span>
      </span>
    ),
    value: ({ email }) => email,
  },
  { id: 'role', header: 'Role', value: ({ role }) => role, width: '80px', optional: true },
  timeColumn(({ createdAt }) => createdAt, { id: 'created', header: 'Created', width: '88px', from: 'sm' }),
  timeColumn(({ expiresAt }) => expiresAt, { id: 'expires', header: 'Expires', width: '80px', isPlanned: true }),
  {
    id: 'actions',
    header: 'Actions',
    cell: (invitation) => <RevokeInvitation invitation={invitation} />,
    align: 'right',
    width: '72px',
  },
]
