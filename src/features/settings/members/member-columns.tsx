import type { Member } from '#contract/members.ts'
import type { Column } from '#src/ui/table/column.ts'
import cells from '#src/ui/table/cells.module.css'
import { EndMembership } from './EndMembership.tsx'
import classes from './members.module.css'
import { RoleSelect } from './RoleSelect.tsx'

type Rights = { manages: boolean; hasOneAdmin: boolean }

/** Why nobody can demote or remove this member; null if they can. */
function whyFixed({ role, isDemo }: Member, hasOneAdmin: boolean) {
  if (isDemo) return 'The demo signs visitors in as this person.'
  return role === 'admin' && hasOneAdmin ? 'An organization needs an admin. Make another member an admin first.' : null
}

export const memberColumns = ({ manages, hasOneAdmin }: Rights): Column<Member>[] => [
  {
    id: 'name',
    header: 'Member',
    cell: ({ name, email, isYou }) => (
      <span className={cells.lines}>
        <span className={cells.person} title={name}>
          {name} {isYou && <span className={classes.you}>you</span>}
        </span>
        <span className={classes.email} title={email}>
          {email}
        </span>
      </span>
    ),
    value: ({ email }) => email,
  },
  {
    id: 'role',
    header: 'Role',
    cell: (member) => (manages ? <RoleSelect member={member} obstacle={whyFixed(member, hasOneAdmin)} /> : member.role),
    value: ({ role }) => role,
    width: '112px',
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (member) =>
      (manages || member.isYou) && <EndMembership member={member} obstacle={whyFixed(member, hasOneAdmin)} />,
    align: 'right',
    width: '72px',
  },
]
