import { Button, type ButtonProps, Menu, VisuallyHidden } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'

import { usePageVerb } from '#src/ui/page-verbs.ts'

export type Copies = {
  /** The address that shows the same thing; this page's unless another is given. */
  link?: () => string
  /** What it says, in words. */
  text?: () => string
  /** The call behind it. */
  curl?: () => string
  /** A statement for the query route that gives what is shown. */
  sql?: () => string
  /** What a submit takes to run the variants shown. */
  selector?: () => string | Promise<string>
}

const names = { link: 'Link', text: 'Text', curl: 'curl', sql: 'SQL', selector: 'YAML selector' } as const

const currentAddress = () => window.location.href

/** What reproduces a view elsewhere. */
export function CopyAs({ link = currentAddress, size = 'xs', ...others }: Copies & { size?: ButtonProps['size'] }) {
  const [said, setSaid] = useState('')
  const copies = { link, ...others }
  const copy = async (name: keyof Copies, text: () => string | Promise<string>) => {
    try {
      await navigator.clipboard.writeText(await text())
      setSaid(`${names[name]} copied`)
    } catch (error) {
      setSaid(`Not copied: ${error instanceof Error ? error.message : String(error)}`)
    }
    setTimeout(() => setSaid(''), 2500)
  }
  const { curl } = others
  usePageVerb(curl && 'Copy as curl', () => curl && void copy('curl', curl))
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
