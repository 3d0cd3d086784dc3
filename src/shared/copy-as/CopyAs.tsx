import { Button, type ButtonProps, Menu, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconLink } from '@tabler/icons-react'
import { useState } from 'react'

import { messageOf } from '#contract/wire/message-of.ts'
import { usePageAction } from '#src/ui/page-actions.ts'

export type Copies = {
  /** The URL that shows the same content; defaults to this page. */
  link?: () => string
  /** Its content as text. */
  text?: () => string
  /** The API call behind it. */
  curl?: () => string
  /** SQL for the query route that returns the shown data. */
  sql?: () => string
  /** The selector to submit the shown variants. */
  selector?: () => string | Promise<string>
}

const names = { link: 'Link', text: 'Text', curl: 'curl', sql: 'SQL', selector: 'YAML selector' } as const

const currentAddress = () => window.location.href

/** Copies the link of a view, or another way to reproduce it elsewhere. */
export function CopyAs({ link = currentAddress, size = 'xs', ...others }: Copies & { size?: ButtonProps['size'] }) {
  const [said, setSaid] = useState('')
  const copy = async (name: keyof Copies, text: () => string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text())
      setSaid(`${names[name]} copied`)
    } catch (error) {
      setSaid(`Couldn’t copy: ${messageOf(error)}`)
    }
    setTimeout(() => setSaid(''), 2500)
  }
  const { curl } = others
  usePageAction(curl && 'Copy as curl', () => curl && void copy('curl', curl))
  return (
    <>
      <VisuallyHidden component="output">{said}</VisuallyHidden>
      <Button.Group>
        <Button
          size={size}
          variant="default"
          leftSection={<IconLink size={14} aria-hidden />}
          onClick={() => void copy('link', link)}
        >
          {said || 'Copy link'}
        </Button>
        <Menu position="bottom-end" shadow="sm">
          <Menu.Target>
            <Button size={size} variant="default" px={5} aria-label="Copy as">
              <IconChevronDown size={14} aria-hidden />
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Label>Copy as</Menu.Label>
            {(['text', 'curl', 'sql', 'selector'] as const).map((name) => {
              const text = others[name]
              return (
                text && (
                  <Menu.Item key={name} onClick={() => void copy(name, text)}>
                    {names[name]}
                  </Menu.Item>
                )
              )
            })}
          </Menu.Dropdown>
        </Menu>
      </Button.Group>
    </>
  )
}
