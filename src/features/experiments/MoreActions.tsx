import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconDownload } from '@tabler/icons-react'

import { archiveUrl } from '#src/api/experiments.ts'

/** What people rarely do with a whole experiment. */
export const MoreActions = ({ id }: { id: string }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <ActionIcon variant="default" size={30} aria-label="More actions">
        <IconDots size={16} aria-hidden />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item
        component="a"
        href={archiveUrl(id)}
        download
        leftSection={<IconDownload size={14} aria-hidden />}
        title="All versions, and every run that has ended with its tests, transcript and changes. Import results reads it."
      >
        Export with all runs
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
