import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'

import { paths } from '#src/paths.ts'

export const NewKeyLink = ({ page }: { page: Parameters<typeof paths.newApiKey>[0] }) => (
  <Button component={Link} to={paths.newApiKey(page)} leftSection={<IconPlus size={14} aria-hidden />}>
    New key
  </Button>
)
