import { Button, type ButtonProps, Menu, VisuallyHidden } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

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

/** Ways to reproduce a view elsewhere. */
export function CopyAs({ link = currentAddress, size = 'xs', ...others }: Copies & { size?: ButtonProps['size'] }) {
  const [said, setSaid] = useState('')
  const copies = { link, ...others }
  const copy = async (name: keyof Copies, text: () => string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text())
      setSaid(`${names[name]} copied`)
    } catch (error) {
      setSaid(`Couldn’t copy: ${error instanceof Error ? error.message : String(error)}`)
    }
    setTimeout(() => setSaid(''), 2500)
  }
  const { curl } = others
  usePageAction(curl && 'Copy as curl', () => curl && void copy('curl', curl))
  return (
    <>
      <VisuallyHidden component="output">{said}</VisuallyHidden>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <Button size={size} variant="default" leftSection={<IconCopy size={14} aria-hidden />}>
            {said || 'Copy as'}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {(['link', 'text', 'curl', 'sql', 'selector'] as const).map((name) => {
            const text = copies[name]
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
    </>
  )
}
