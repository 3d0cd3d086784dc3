import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { paths } from '#src/paths.ts'

export const InviteLink = () => (
  <Button component={Link} to={paths.newInvitation()} leftSection={<IconUserPlus size={14} aria-hidden />}>
    Invite
  </Button>
)
