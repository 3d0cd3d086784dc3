import { Menu, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { IconCheck, IconLogout, IconSelector } from '@tabler/icons-react'
import { useNavigate } from 'react-router'

import type { Actor } from '#contract/identity.ts'
import { signOut } from '#src/api/session.ts'
import { paths } from '#src/paths.ts'
import classes from './Shell.module.css'

const schemes = [
  { value: 'auto', label: 'Follow the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const

export function UserMenu({ actor }: { actor: Actor }) {
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const leave = async () => {
    await signOut()
    await navigate(paths.signIn())
  }
  return (
    <Menu position="top-start" shadow="sm" width={192}>
      <Menu.Target>
        <UnstyledButton className={classes.navButton} aria-label={`${actor.name}, account and theme`}>
          <span className={classes.grow}>{actor.name}</span>
          <IconSelector size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {actor.email && <Menu.Label>{actor.email}</Menu.Label>}
        {schemes.map(({ value, label }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={colorScheme === value}
            onClick={() => setColorScheme(value)}
            rightSection={colorScheme === value && <IconCheck size={14} aria-hidden />}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={14} aria-hidden />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
