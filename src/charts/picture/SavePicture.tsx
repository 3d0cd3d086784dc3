import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useRef, useState } from 'react'

import { messageOf } from '#contract/wire/message-of.ts'
import { fileName } from '#src/format/file-name.ts'
import { tableFileTitle } from '#src/ui/table/table-file-title.ts'
import type { PictureFormat } from './save-picture.ts'
import classes from './SavePicture.module.css'

/** A button that saves the chart around it as a picture. It is visible while the pointer is over the chart, or when it has the focus. */
export function SavePicture({ label }: { label: string }) {
  const [said, setSaid] = useState('')
  const place = useRef<HTMLDivElement>(null)
  const save = async (format: PictureFormat) => {
    const chart = place.current?.parentElement
    if (!chart) return
    setSaid('')
    try {
      const { savePicture } = await import('./save-picture.ts')
      await savePicture(chart, { name: fileName(tableFileTitle(document.title, label)), format })
    } catch (error) {
      setSaid(`Couldn’t save the picture: ${messageOf(error)}`)
    }
  }
  return (
    <div ref={place} className={classes.place}>
      <output>{said}</output>
      <Menu position="bottom-end" shadow="sm">
        <Menu.Target>
          <ActionIcon variant="default" size="sm" className={classes.button} aria-label="Save picture">
            <IconDownload size={14} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Save picture</Menu.Label>
          <Menu.Item onClick={() => void save('png')}>PNG</Menu.Item>
          <Menu.Item onClick={() => void save('svg')}>SVG</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}
